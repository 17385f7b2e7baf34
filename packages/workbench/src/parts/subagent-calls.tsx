import { PlainText } from "@haft/faces"
import { addressOf, linkTo } from "../app/router.js"
import { useKnown } from "../app/workspace.js"
import { rowPhase } from "../session/recorded-call.js"
import { type TimelineRow, useTimeline } from "../session/use-timeline.js"
import { useLanguage, useWords } from "../words/words.js"
import { PhaseDot } from "./phase-dot.js"
import { subagentWords } from "./subagent.words.js"
import classes from "./subagent-calls.module.css"
import { ToolIcon, toolTitle } from "./tool-icon.js"

const maxShown = 8

/** What a subagent does or did: its newest calls as they are recorded, and the way to its own timeline. */
export function SubagentCalls({ session }: { session: string }) {
  const words = useWords(subagentWords)
  const [timeline] = useTimeline(session)
  const calls = timeline.at === "ready" ? timeline.value.calls : []
  const shown = calls.slice(-maxShown)
  return (
    <section className={classes.calls} aria-label={words.calls}>
      {calls.length > shown.length && <p>{words.earlier(calls.length - shown.length)}</p>}
      <ul>
        {shown.map((call) => (
          <SubagentCall key={call.callId} call={call} session={session} />
        ))}
      </ul>
      <a {...linkTo(addressOf(["sessions", session]))}>{words.open}</a>
    </section>
  )
}

function SubagentCall({ call, session }: { call: TimelineRow; session: string }) {
  const language = useLanguage()
  const { tools } = useKnown()
  const tool = tools.at === "ready" ? tools.value.find(({ id }) => id === call.tool) : undefined
  return (
    <li>
      <a {...linkTo(addressOf(["sessions", session], { call: call.callId }))}>
        <ToolIcon kind={tool?.kind ?? "other"} />
        <span>{tool ? toolTitle(tool, language) : <PlainText text={call.tool} max={80} />}</span>
        <small>
          <PlainText text={call.subject} />
        </small>
        <PhaseDot phase={rowPhase(call)} />
      </a>
    </li>
  )
}
