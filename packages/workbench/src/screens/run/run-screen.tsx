import { visibleText } from "@haft/faces"
import { SearchX } from "lucide-react"
import { lazy, Suspense } from "react"
import { usePlace } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import { Loaded, Notice, Waiting } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import { ToolList } from "./tool-list.js"
import { Welcome } from "./welcome.js"

const ToolPane = lazy(() => import("./tool-pane.js"))

/** The catalogue on the left; on the right the tool that the address names. */
export default function RunScreen() {
  const { path } = usePlace()
  const { tools, reload } = useKnown()
  const id = path[1]
  return (
    <div className={classes.screen} data-chosen={id !== undefined || undefined}>
      <aside className={classes.catalogue}>
        <Loaded resource={tools} retry={reload} lines={14}>
          {(list) => <ToolList tools={list} chosen={id} />}
        </Loaded>
      </aside>
      <section className={classes.pane}>{id === undefined ? <Welcome /> : <ChosenTool id={id} />}</section>
    </div>
  )
}

function ChosenTool({ id }: { id: string }) {
  const words = useWords(runWords)
  const { tools } = useKnown()
  if (tools.at === "failed") return null
  if (tools.at === "loading") return <Waiting />
  const tool = tools.value.find((known) => known.id === id)
  if (!tool)
    return (
      <Notice icon={SearchX} title={words.unknown(visibleText(id))}>
        {words.unknownNext}
      </Notice>
    )
  return (
    <Suspense fallback={<Waiting />}>
      <ToolPane key={id} tool={tool} />
    </Suspense>
  )
}
