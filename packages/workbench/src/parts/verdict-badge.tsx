import { Check, CircleHelp, X } from "lucide-react"
import { useWords } from "../words/words.js"
import { verdictWords } from "./verdict.words.js"
import classes from "./verdict-badge.module.css"

const icons = { allow: Check, deny: X, ask: CircleHelp } as const

/** Allowed, denied or asks, in a word, a colour and a shape. */
export function VerdictBadge({ verdict }: { verdict: "allow" | "deny" | "ask" }) {
  const words = useWords(verdictWords)
  const Icon = icons[verdict]
  return (
    <span className={classes.badge} data-verdict={verdict}>
      <Icon size={13} aria-hidden />
      {words[verdict]}
    </span>
  )
}
