import { Button } from "@mantine/core"
import { PlayCircle } from "lucide-react"
import { addressOf, go, linkTo } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import { ToolIcon, toolSummary, toolTitle } from "../../parts/tool-icon.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"

// What people try first: something that shows a result at once, and something that asks.
const firstKinds = ["read", "search", "edit", "execute"] as const

/** What a first visitor sees: what this is, and what to press. */
export function Welcome() {
  const words = useWords(runWords)
  const language = useLanguage()
  const { tools } = useKnown()
  const list = tools.at === "ready" ? tools.value : []
  const first = firstKinds.flatMap((kind) => list.find((tool) => tool.kind === kind) ?? [])
  return (
    <div className={classes.welcome}>
      <h2>{words.welcome}</h2>
      <p>{words.welcomeText}</p>
      <div className={classes.welcomeTour}>
        <Button size="md" leftSection={<PlayCircle size={18} />} onClick={() => go("/chat?tour=start")}>
          {words.tour}
        </Button>
        <span>{words.tourText}</span>
      </div>
      <h3>{words.tryOne}</h3>
      <ul className={classes.cards}>
        {first.map((tool) => (
          <li key={tool.id}>
            <a className={classes.card} {...linkTo(addressOf(["run", tool.id]))}>
              <ToolIcon kind={tool.kind} size={18} />
              <b>{toolTitle(tool, language)}</b>
              <span>{toolSummary(tool, language)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
