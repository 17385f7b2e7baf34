import type { ApiSession, ApiTimelineCall } from "@haft/contract"
import { LadderReason, LadderTable, LocaleContext, ModelText } from "@haft/faces"
import { Button, Tabs } from "@mantine/core"
import { useMemo, useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { addressOf, linkTo, setQuery, usePlace } from "../../app/router.js"
import { Call } from "../../parts/call.js"
import { JsonBlock } from "../../parts/json-block.js"
import { StateBadge } from "../../parts/state-badge.js"
import { Failed } from "../../parts/states.js"
import { recordedCall } from "../../session/recorded-call.js"
import { useFormat } from "../../words/format.js"
import { useLanguage, useWords } from "../../words/words.js"
import { FilesAtMoment } from "./files-at-moment.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

const tabs = ["call", "decision", "files", "model", "record"] as const

/** Everything that the journal has about one call. */
export function CallDetail({
  session,
  call,
  changed,
}: {
  session: ApiSession
  call: ApiTimelineCall
  changed: () => void
}) {
  const words = useWords(sessionsWords)
  const language = useLanguage()
  const { query } = usePlace()
  const tab = tabs.find((name) => name === query.tab) ?? "call"
  const view = useMemo(() => recordedCall(call), [call])
  return (
    <section className={classes.detail}>
      <Tabs
        value={tab}
        onChange={(next) => setQuery({ tab: next === "call" ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <LocaleContext value={language}>
          <Tabs.Panel value="call" className={classes.panel}>
            <Call call={view} session={undefined} />
            <Effects session={session} call={call} changed={changed} />
          </Tabs.Panel>
          <Tabs.Panel value="decision" className={classes.panel}>
            <Decision call={call} />
          </Tabs.Panel>
          <Tabs.Panel value="files" className={classes.panel}>
            <FilesAtMoment session={session.id} call={call.callId} />
          </Tabs.Panel>
          <Tabs.Panel value="model" className={classes.panel}>
            <ModelText model={call.model} />
          </Tabs.Panel>
          <Tabs.Panel value="record" className={classes.panel}>
            <JsonBlock value={call} />
          </Tabs.Panel>
        </LocaleContext>
      </Tabs>
    </section>
  )
}

function Decision({ call }: { call: ApiTimelineCall }) {
  const words = useWords(sessionsWords)
  const format = useFormat()
  return (
    <>
      <LadderReason ladder={call.ladder} />
      {call.answers?.map((answer) => (
        <p key={answer.at}>
          <b>{answer.answer}</b> · {words.answeredBy[answer.by]} · {format.time(answer.at)}
          {answer.rule !== undefined && (
            <>
              {" · "}
              <code>{answer.rule}</code>
            </>
          )}
          {answer.reason !== undefined && ` · ${answer.reason}`}
        </p>
      ))}
      <LadderTable ladder={call.ladder} open />
    </>
  )
}

/** What it did to files, with the way back. */
function Effects({ session, call, changed }: { session: ApiSession; call: ApiTimelineCall; changed: () => void }) {
  const words = useWords(sessionsWords)
  const [error, setError] = useState<RequestError>()
  const writes = call.effects.filter(({ kind }) => kind === "fs.write" || kind === "fs.delete")
  const undo = () => api.undo(session.id, call.callId).then(changed, setError)
  return (
    <p className={classes.effects}>
      {call.undoneAt !== undefined && <StateBadge tone="plain" text={words.undone} />}
      {writes.length > 0 && call.undoneAt === undefined && session.state !== "read-only" && (
        <Button variant="default" onClick={() => void undo()}>
          {words.undo}
        </Button>
      )}
      {call.child !== undefined && <a {...linkTo(addressOf(["sessions", call.child]))}>{words.subagent}</a>}
      {error && <Failed error={error} />}
    </p>
  )
}
