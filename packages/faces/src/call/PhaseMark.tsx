import type { CallPhase, CallView } from "@haft/contract"
import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  History,
  LoaderCircle,
  OctagonX,
  PencilLine,
  Scissors,
} from "lucide-react"
import type { ComponentType } from "react"
import { durationText } from "../text/amounts.js"
import { useSay } from "../words/say.js"

const marks: Readonly<Record<CallPhase, ComponentType<{ className?: string }>>> = {
  "args-streaming": PencilLine,
  pending: CircleDashed,
  "awaiting-approval": CircleHelp,
  running: LoaderCircle,
  ok: Check,
  error: OctagonX,
  denied: Ban,
  aborted: Ban,
}

/** Where the call is, in a sign and in words, with what else is true of it. */
export function PhaseMark({ call }: { readonly call: CallView }) {
  const say = useSay()
  const Mark = marks[call.phase]
  const duration = call.metadata?.duration_ms
  return (
    <span className="haft-phase">
      {call.replayed && (
        <span className="haft-chip" title={say("replayed")}>
          <History aria-hidden /> <span>{say("replayed")}</span>
        </span>
      )}
      {call.metadata?.truncated === true && (
        <span className="haft-chip" data-tone="warn">
          <Scissors aria-hidden /> <span>{say("truncated")}</span>
        </span>
      )}
      {typeof duration === "number" && <span className="haft-dim haft-number">{durationText(duration)}</span>}
      <span className="haft-phase-word" role="status">
        <Mark aria-hidden className={call.phase === "running" ? "haft-turning" : ""} />
        <span>{say(`phase.${call.phase}`)}</span>
      </span>
    </span>
  )
}
