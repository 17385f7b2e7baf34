import type { ApiExplanation } from "@haft/contract"
import { LadderReason, LadderTable, Sentence } from "@haft/faces"
import { Badge } from "@mantine/core"
import { useEffect, useState } from "react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { addressOf, linkTo } from "../../app/router.js"
import { Failed } from "../../parts/states.js"
import { VerdictBadge } from "../../parts/verdict-badge.js"
import { ownSession } from "../../session/own-session.js"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import type { Arguments } from "./use-arguments.js"

const pauseMs = 250

/** What the rules say to exactly these arguments, while they are written. Nothing runs. */
export function Verdict({ tool, args }: { tool: string; args: Arguments }) {
  const words = useWords(runWords)
  const isComplete = !args.broken && args.problems.length === 0
  const isSettled = useSettled(args.text) === args.text
  const [explanation] = useResource(isComplete && isSettled ? `${tool} ${args.text}` : undefined, async (signal) => {
    const session = await ownSession()
    return api.explain(session, { tool, args: JSON.parse(args.text) }, signal)
  })
  const shown = useLast(isComplete && explanation.at === "ready" ? explanation.value : undefined, isComplete)
  return (
    <section
      className={classes.verdict}
      aria-label={words.before}
      aria-live="polite"
      aria-busy={explanation.at === "loading"}
    >
      <h3>{words.before}</h3>
      {!isComplete ? (
        <p>{words.fillIn}</p>
      ) : explanation.at === "failed" ? (
        <Failed error={explanation.error} />
      ) : shown ? (
        <Explained explanation={shown} tool={tool} />
      ) : (
        <p>{words.judging}</p>
      )}
    </section>
  )
}

function Explained({ explanation, tool }: { explanation: ApiExplanation; tool: string }) {
  const words = useWords(runWords)
  const { ladder, hosts, fix } = explanation
  return (
    <div className={classes.explained}>
      <p className={classes.verdictLine}>
        <VerdictBadge verdict={ladder.verdict} /> {words.verdictHints[ladder.verdict]}
        {hosts?.map((host) => (
          <Badge key={host} color="gray">
            {host}
          </Badge>
        ))}
      </p>
      <LadderReason ladder={ladder} />
      {ladder.flag !== undefined && (
        <p>
          {words.remedy}: <code>{ladder.flag}</code>
        </p>
      )}
      {fix !== undefined && (
        <p>
          <Sentence text={fix} />
        </p>
      )}
      <LadderTable ladder={ladder} />
      <a {...linkTo(addressOf(["permissions"], { tool, args: JSON.stringify(explanation.arguments) }))}>
        {words.draftRule}
      </a>
    </div>
  )
}

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Keeps the last value while the next one is on its way, so that nothing jumps. */
function useLast<Value>(value: Value | undefined, isWanted: boolean): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return isWanted ? (value ?? last) : undefined
}
