import type { CallPhase } from "@haft/contract"
import { Ban, CircleAlert, CircleCheck, CircleDashed, CircleHelp, CircleSlash, LoaderCircle } from "lucide-react"
import { useWords } from "../words/words.js"
import { phaseWords } from "./phase.words.js"
import classes from "./phase-dot.module.css"

const icons = {
  "args-streaming": CircleDashed,
  pending: CircleDashed,
  "awaiting-approval": CircleHelp,
  running: LoaderCircle,
  ok: CircleCheck,
  error: CircleAlert,
  denied: Ban,
  aborted: CircleSlash,
} as const

/** Where a call is, as a small sign with a name. */
export function PhaseDot({ phase }: { phase: CallPhase }) {
  const words = useWords(phaseWords)
  const Icon = icons[phase]
  return (
    <span className={classes.dot} data-phase={phase} title={words[phase]}>
      <Icon size={14} aria-label={words[phase]} />
    </span>
  )
}
