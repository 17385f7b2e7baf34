import { Server } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { useKnown } from "../../app/workspace.js"
import page from "../../parts/page.module.css"
import { Loaded, Notice } from "../../parts/states.js"
import { forgetOwnSession } from "../../session/own-session.js"
import { useWords } from "../../words/words.js"
import { ServerCard } from "./server-card.js"
import { serversWords } from "./servers.words.js"

/** The MCP servers of the configuration. Nothing is started before a person has seen what it is. */
export default function ServersScreen() {
  const words = useWords(serversWords)
  const [servers, reload] = useResource("servers", api.servers)
  const known = useKnown()
  const trusted = () => {
    reload()
    known.reload()
    // A session has the tools that were there when it was opened.
    forgetOwnSession()
  }
  return (
    <div className={page.page}>
      <p className={page.lead}>{words.what}</p>
      <Loaded resource={servers} retry={reload}>
        {(list) =>
          list.length === 0 ? (
            <Notice icon={Server} title={words.none}>
              <p>{words.noneNext}</p>
              <code>haft mcp add files -- npx -y some-mcp-server</code>
            </Notice>
          ) : (
            list.map((server) => <ServerCard key={server.name} server={server} trusted={trusted} />)
          )
        }
      </Loaded>
    </div>
  )
}
