import type { ApiSession } from "@haft/contract"
import { Badge, TextInput } from "@mantine/core"
import { ListVideo, Search } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { addressOf, linkTo, setQuery, usePlace } from "../../app/router.js"
import page from "../../parts/page.module.css"
import { StateBadge } from "../../parts/state-badge.js"
import { Loaded, Notice } from "../../parts/states.js"
import { useFormat } from "../../words/format.js"
import { useWords } from "../../words/words.js"
import { ImportDrop } from "./import-drop.js"
import { sessionsWords } from "./sessions.words.js"

/** Every session of the journal; an export that is dropped here becomes one more. */
export function SessionList() {
  const words = useWords(sessionsWords)
  const { q = "" } = usePlace().query
  const [sessions, retry] = useResource("sessions", api.sessions)
  return (
    <ImportDrop>
      <div className={page.page}>
        <p className={page.lead}>{words.what}</p>
        <Loaded resource={sessions} retry={retry}>
          {(list) => {
            if (list.length === 0)
              return (
                <Notice icon={ListVideo} title={words.none}>
                  {words.noneNext}
                </Notice>
              )
            const shown = list.filter(({ id, title = "" }) => `${id} ${title}`.toLowerCase().includes(q.toLowerCase()))
            return (
              <>
                <TextInput
                  data-search
                  aria-label={words.filter}
                  placeholder={words.filter}
                  leftSection={<Search size={14} />}
                  value={q}
                  onChange={(event) => setQuery({ q: event.currentTarget.value })}
                />
                {shown.length === 0 ? <p className={page.soft}>{words.noMatch}</p> : <Table sessions={shown} />}
              </>
            )
          }}
        </Loaded>
      </div>
    </ImportDrop>
  )
}

const tones = { open: "good", closed: "plain", elsewhere: "warn", "read-only": "plain" } as const

function Table({ sessions }: { sessions: readonly ApiSession[] }) {
  const words = useWords(sessionsWords)
  const format = useFormat()
  return (
    <table className={page.table}>
      <thead>
        <tr>
          <th>{words.title}</th>
          <th>{words.calls}</th>
          <th>{words.updated}</th>
          <th>{words.state}</th>
        </tr>
      </thead>
      <tbody>
        {sessions.slice(0, 300).map((session) => (
          <tr key={session.id}>
            <td>
              <a {...linkTo(addressOf(["sessions", session.id]))}>{session.title ?? words.untitled}</a>{" "}
              <code className={page.soft}>{session.id.slice(0, 12)}</code>{" "}
              {session.parentId !== undefined && <Badge color="gray">{session.agent}</Badge>}
            </td>
            <td>{format.number(session.calls)}</td>
            <td title={format.moment(session.updatedAt)}>{format.ago(session.updatedAt)}</td>
            <td>
              <StateBadge tone={tones[session.state]} text={words.states[session.state]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
