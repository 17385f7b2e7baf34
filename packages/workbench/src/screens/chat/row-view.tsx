import type { CallView, Compaction } from "@haft/contract"
import { Markdown, PlainText, useSentence, visibleText } from "@haft/faces"
import { CircleCheck, CircleSlash } from "lucide-react"
import { useKnown, useTool } from "../../app/workspace.js"
import { Call } from "../../parts/call.js"
import { SubagentCalls } from "../../parts/subagent-calls.js"
import type { SessionStore } from "../../session/session-store.js"
import { useWholeCall } from "../../session/use-recorded.js"
import { useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"
import type { Row } from "./rows.js"

/** One row of a conversation. */
export function RowView({ row, store }: { row: Row; store: SessionStore }) {
  const words = useWords(chatWords)
  const sentence = useSentence()
  switch (row.kind) {
    case "person":
      return <Said who={words.you} by="person" text={row.text} />
    case "text":
    case "message":
      return <Said who={words.agent} by="agent" text={row.text} />
    case "thinking":
      return (
        <details className={classes.thinking}>
          <summary>{words.thinking}</summary>
          <PlainText text={row.text} />
        </details>
      )
    case "compaction":
      return <Compacted done={row.done} />
    case "call":
      return (
        <>
          <OneCall call={store.calls.get(row.call)!} session={store.session} />
          {[...store.children.values()].map(
            ({ id, call }) => call === row.call && <SubagentCalls key={id} session={id} />,
          )}
        </>
      )
    case "explored":
      return <Explored calls={row.calls} session={store.session} />
    case "error":
      return (
        <p className={classes.error} role="alert">
          {visibleText(sentence(row.text))}
        </p>
      )
    case "end":
      return <Ended outcome={row.outcome} />
  }
}

/** What the model no longer reads in full, with the summary that stands for it. */
function Compacted({ done }: { done: Compaction | undefined }) {
  const words = useWords(chatWords)
  const title = done === undefined ? words.compacting : words.compacted(done.summary !== undefined, done.leftOut)
  if (done?.summary === undefined) return <p className={classes.thinking}>{title}</p>
  return (
    <details className={classes.thinking}>
      <summary>{title}</summary>
      <PlainText text={done.summary} />
    </details>
  )
}

function Said({ who, by, text }: { who: string; by: "person" | "agent"; text: string }) {
  return (
    <div className={classes.said} data-by={by}>
      <b>{who}</b>
      {by === "agent" ? (
        <Markdown text={text} />
      ) : (
        <div className={classes.text}>
          <PlainText text={text} />
        </div>
      )}
    </div>
  )
}

/** A call in its place; what waits for an answer is above the composer, and only its row is here. */
function OneCall({ call: streamed, session }: { call: CallView; session: string }) {
  const call = useWholeCall(streamed, session)
  const { request: _request, questions: _questions, ...rest } = call
  const shown = call.phase === "awaiting-approval" ? { ...rest, phase: "pending" as const } : call
  const kind = useTool(call.tool)?.kind ?? "other"
  const isQuiet = call.phase === "ok" && !["edit", "delete", "move", "execute"].includes(kind)
  const isWaiting = call.phase === "awaiting-approval"
  // Folded when it begins to wait, and open again when it runs.
  return <Call key={String(isWaiting)} call={shown} session={session} folded={isQuiet || isWaiting} />
}

function Explored({ calls, session }: { calls: readonly CallView[]; session: string }) {
  const words = useWords(chatWords)
  const { tools } = useKnown()
  const list = tools.at === "ready" ? tools.value : []
  const searches = calls.filter(({ tool }) => list.find(({ id }) => id === tool)?.kind === "search").length
  return (
    <details className={classes.explored}>
      <summary>
        {words.exploredTitle} · {words.explored(calls.length - searches, searches)}
      </summary>
      {calls.map((call) => (
        <OneCall key={call.id} call={call} session={session} />
      ))}
    </details>
  )
}

function Ended({ outcome }: { outcome: Extract<Row, { kind: "end" }>["outcome"] }) {
  const words = useWords(chatWords)
  const sentence = useSentence()
  const isGood = outcome.reason === "done"
  const Icon = isGood ? CircleCheck : CircleSlash
  return (
    <p className={classes.ended} data-good={isGood || undefined}>
      <Icon size={14} aria-hidden /> {words.ended[outcome.reason]}
      {!isGood && outcome.message !== undefined && <span>{visibleText(sentence(outcome.message))}</span>}
      {!isGood && outcome.hint !== undefined && <span>{visibleText(sentence(outcome.hint))}</span>}
    </p>
  )
}
