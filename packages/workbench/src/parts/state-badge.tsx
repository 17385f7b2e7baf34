import { CircleAlert, CircleCheck, CircleMinus, CircleX } from "lucide-react"
import classes from "./page.module.css"

/** How something is doing. */
export type Tone = "good" | "warn" | "bad" | "plain"

const icons = { good: CircleCheck, warn: CircleAlert, bad: CircleX, plain: CircleMinus } as const

/** A state in a word, a colour and a shape. */
export function StateBadge({ tone, text }: { tone: Tone; text: string }) {
  const Icon = icons[tone]
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={13} aria-hidden />
      {text}
    </span>
  )
}
