import type { ApiRecordedCall, ApiSession } from "@haft/contract"
import { LadderReason, LadderTable, ModelText, visibleText } from "@haft/faces"
import { Button, Tabs } from "@mantine/core"
import { useMemo, useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { type Resource, useResource } from "../../api/resource.js"
import { setQuery, usePlace } from "../../app/router.js"
import { answerWords } from "../../parts/answer.words.js"
import { Call } from "../../parts/call.js"
import { JsonBlock } from "../../parts/json-block.js"
import { StateBadge } from "../../parts/state-badge.js"
import { Failed, Loaded } from "../../parts/states.js"
import { SubagentCalls } from "../../parts/subagent-calls.js"
import { recordedCall } from "../../session/recorded-call.js"
import type { TimelineRow } from "../../session/use-timeline.js"
import { useFormat } from "../../words/format.js"
import { useWords } from "../../words/words.js"
import { FilesAtMoment } from "./files-at-moment.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

const tabs = ["call", "decision", "files", "model", "record"] as const

/** Everything that the journal has about one call. The one before stays until it is here. */
export function CallDetail(props: { session: ApiSession; row: TimelineRow; changed: () => void }) {
  const { session, row } = props
  const key = `${session.id} ${row.callId} ${row.endedAt} ${row.undoneAt}`
  const [record, retry] = useResource(key, (signal) => api.recorded(session.id, row.callId, signal))
  const [shown, setShown] = useState<Resource<ApiRecordedCall>>(record)
  if (record !== shown && record.at !== "loading") setShown(record)
  return (
    <section className={classes.detail} aria-busy={record.at === "loading"}>
      <Loaded resource={shown} retry={retry}>
        {(call) => <Detail {...props} key={call.callId} call={call} />}
      </Loaded>
    </section>
  )
}

function Detail(props: { session: ApiSession; row: TimelineRow; call: ApiRecordedCall; changed: () => void }) {
  const { session, call } = props
  const words = useWords(sessionsWords)
  const { query } = usePlace()
  const tab = tabs.find((name) => name === query.tab) ?? "call"
  const view = useMemo(() => recordedCall(call), [call])
  return (
    <Tabs
      value={tab}
      onChange={(next) => setQuery({ tab: next === "call" ? undefined : (next ?? undefined) })}
      keepMounted={false}
    >
      <Tabs.List className={classes.tabList}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {words.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="call" className={classes.panel}>
        <Call call={view} session={undefined} />
        <Effects {...props} />
        {props.row.child !== undefined && <SubagentCalls key={props.row.child} session={props.row.child} />}
      </Tabs.Panel>
      <Tabs.Panel value="decision" className={classes.panel}>
        <Decision call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="files" className={classes.panel}>
        <FilesAtMoment session={session} call={call.callId} />
      </Tabs.Panel>
      <Tabs.Panel value="model" className={classes.panel}>
        <ModelText model={call.model} />
      </Tabs.Panel>
      <Tabs.Panel value="record" className={classes.panel}>
        <JsonBlock value={call} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Decision({ call }: { call: ApiRecordedCall }) {
  const words = useWords(sessionsWords)
  const answers = useWords(answerWords)
  const format = useFormat()
  return (
    <>
      <LadderReason ladder={call.ladder} />
      {call.answers?.map((answer) => (
        <p key={answer.at}>
          <b>{answers[answer.answer]}</b> · {words.answeredBy[answer.by]} · {format.time(answer.at)}
          {answer.rule !== undefined && (
            <>
              {" · "}
              <code>{answer.rule}</code>
            </>
          )}
          {answer.reason !== undefined && ` · ${visibleText(answer.reason)}`}
        </p>
      ))}
      <LadderTable ladder={call.ladder} open />
    </>
  )
}

/** What it did to files, with the way back. */
function Effects(props: { session: ApiSession; row: TimelineRow; call: ApiRecordedCall; changed: () => void }) {
  const { session, call, changed } = props
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
      {error && <Failed error={error} />}
    </p>
  )
}
