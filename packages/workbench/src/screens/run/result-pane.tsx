import { ModelText, useSentence } from "@haft/faces"
import { Button, Tabs } from "@mantine/core"
import { Terminal } from "lucide-react"
import { useState } from "react"
import { api } from "../../api/client.js"
import { addressOf, linkTo, setQuery, usePlace } from "../../app/router.js"
import { Call } from "../../parts/call.js"
import { JsonBlock } from "../../parts/json-block.js"
import { Failed, Notice } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import type { Run } from "./use-run.js"

const views = ["face", "model", "envelope", "events"] as const

/** The result in four ways: as people see it, as the model reads it, as it travels, and what happened on the way. */
export function ResultPane({ run }: { run: Run }) {
  const words = useWords(runWords)
  const { query } = usePlace()
  const view = views.find((name) => name === query.result) ?? "face"
  const { call, session, error } = run
  if (error) return <Failed error={error} />
  if (!call && run.isRunning) return <p role="status">{words.running}</p>
  if (!call)
    return (
      <Notice icon={Terminal} title={words.noResult}>
        {words.noResultNext}
      </Notice>
    )
  return (
    <Tabs
      className={classes.tabs}
      value={view}
      onChange={(next) => setQuery({ result: next === "face" ? undefined : (next ?? undefined) })}
      keepMounted={false}
    >
      {session !== undefined && (
        <a className={classes.inSession} {...linkTo(addressOf(["sessions", session], { call: run.callId }))}>
          {words.inSession}
        </a>
      )}
      <Tabs.List>
        {views.map((name) => (
          <Tabs.Tab key={name} value={name} disabled={name !== "face" && name !== "events" && !run.result}>
            {words.views[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="face" className={classes.form}>
        <Call call={call} session={session} />
        {run.result && session !== undefined && <Undo run={run} session={session} />}
      </Tabs.Panel>
      <Tabs.Panel value="model" className={classes.form}>
        <ModelText model={run.result?.model} />
      </Tabs.Panel>
      <Tabs.Panel value="envelope" className={classes.form}>
        <JsonBlock value={run.result?.envelope} />
      </Tabs.Panel>
      <Tabs.Panel value="events" className={classes.form}>
        <JsonBlock value={run.events} />
      </Tabs.Panel>
    </Tabs>
  )
}

/** Takes the file effects of this call back. */
function Undo({ run, session }: { run: Run; session: string }) {
  const words = useWords(runWords)
  const sentence = useSentence()
  const [said, setSaid] = useState<string>()
  if (run.call?.details === undefined || run.call.phase !== "ok") return null
  const undo = () =>
    api.undo(session, run.callId).then(
      ({ restored, removed }) => setSaid(words.undone(restored.length + removed.length)),
      (error: Error) => setSaid(error.message),
    )
  return (
    <p className={classes.undo}>
      <Button variant="default" onClick={() => void undo()} disabled={said !== undefined}>
        {words.undo}
      </Button>
      <span role="status">{said !== undefined && sentence(said)}</span>
    </p>
  )
}
