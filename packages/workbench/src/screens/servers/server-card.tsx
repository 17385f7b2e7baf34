import type { ApiServer, ApiServerLook } from "@haft/contract"
import { PlainText, Sentence } from "@haft/faces"
import { Badge, Button } from "@mantine/core"
import { useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import page from "../../parts/page.module.css"
import { StateBadge } from "../../parts/state-badge.js"
import { Failed } from "../../parts/states.js"
import { useFormat } from "../../words/format.js"
import { useWords } from "../../words/words.js"
import { serversWords } from "./servers.words.js"

const tones = { trusted: "good", untrusted: "warn", changed: "warn", broken: "bad" } as const

/** One server: what would be started, and after a look what it offers. */
export function ServerCard({ server, trusted }: { server: ApiServer; trusted: () => void }) {
  const words = useWords(serversWords)
  const [look, setLook] = useState<ApiServerLook>()
  const [error, setError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    await work().catch(setError)
    setBusy(false)
  }
  const test = () => attempt(async () => setLook(await api.testServer(server.name, server.entry!)))
  const trust = (digest: string) =>
    attempt(async () => {
      await api.trustServer(server.name, digest)
      setLook(undefined)
      trusted()
    })
  const kind = server.url === undefined ? "stdio" : "http"
  return (
    <article className={page.card}>
      <h2>
        {server.name} <StateBadge tone={tones[server.state]} text={words.states[server.state]} />
        {server.transport && <Badge color="gray">{server.transport}</Badge>}
      </h2>
      {server.reason !== undefined && (
        <p>
          <Sentence text={server.reason} />
        </p>
      )}
      <Facts server={server} />
      {server.entry !== undefined && (
        <div className={page.row}>
          <Button variant="default" onClick={() => void test()} loading={isBusy}>
            {words.test[kind]}
          </Button>
          <span className={page.soft}>{words.testWhat[kind]}</span>
        </div>
      )}
      {error && <Failed error={error} />}
      {look && <Look look={look} isTrusted={server.state === "trusted"} trust={() => void trust(look.digest)} />}
    </article>
  )
}

function Facts({ server }: { server: ApiServer }) {
  const words = useWords(serversWords)
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.command, server.command?.join(" ")],
    [words.url, server.url],
    [words.env, server.env?.join(" ")],
    [words.net, server.net?.join(" ")],
    [words.readable, server.readable?.join(" ")],
    [words.source, server.source],
    [words.tools, server.tools?.join(", ")],
  ]
  return (
    <table className={page.table}>
      <tbody>
        {facts.map(([name, value]) =>
          value === undefined || value === "" ? null : (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code>
                  <PlainText text={value} />
                </code>
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}

function Look({ look, isTrusted, trust }: { look: ApiServerLook; isTrusted: boolean; trust: () => void }) {
  const words = useWords(serversWords)
  const format = useFormat()
  return (
    <>
      <p>
        {words.answered(look.server, look.protocol)} · {format.duration(look.ms)}
      </p>
      {[...look.problems, ...look.changes].map((text) => (
        <p key={text}>
          <StateBadge tone="warn" text={words.note} /> <Sentence text={text} />
        </p>
      ))}
      <table className={page.table}>
        <tbody>
          {look.tools.map((tool) => (
            <tr key={tool.name}>
              <th scope="row">
                <code>{tool.name}</code>
              </th>
              <td>
                <PlainText text={tool.description} />
              </td>
              <td>{tool.destroys && <StateBadge tone="warn" text={words.destroys} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isTrusted && (
        <div className={page.row}>
          <Button onClick={trust}>{words.trust}</Button>
          <span className={page.soft}>{words.trustWhat}</span>
        </div>
      )}
    </>
  )
}
