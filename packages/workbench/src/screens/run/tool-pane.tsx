import type { ApiTool } from "@haft/contract"
import { Badge, Button, Tabs } from "@mantine/core"
import { ArrowLeft, CircleStop, Play } from "lucide-react"
import { lazy, Suspense, useEffect, useRef } from "react"
import { useKeys } from "../../app/keys.js"
import { linkTo, setQuery, usePlace } from "../../app/router.js"
import { Waiting } from "../../parts/states.js"
import { ToolIcon, toolSummary, toolTitle } from "../../parts/tool-icon.js"
import { useLanguage, useWords } from "../../words/words.js"
import { CopyAs } from "./copy-as.js"
import { Examples } from "./examples.js"
import { JsonArguments } from "./json-arguments.js"
import { ResultPane } from "./result-pane.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"
import { ToolPapers } from "./tool-papers.js"
import { type Arguments, useArguments } from "./use-arguments.js"
import { useRun } from "./use-run.js"
import { Verdict } from "./verdict.js"

const CallForm = lazy(() => import("./call-form.js"))

/** One tool: its arguments, the verdict before it runs, and the result. */
export default function ToolPane({ tool }: { tool: ApiTool }) {
  const words = useWords(runWords)
  const args = useArguments(tool)
  const run = useRun(tool.id)
  const canRun = !args.broken && args.problems.length === 0
  const result = useRef<HTMLElement>(null)
  const start = () => {
    if (canRun && !run.isRunning) void run.start(args.value)
  }
  const isAsking = run.call?.phase === "awaiting-approval"
  useEffect(() => {
    // The person has just pressed Run: what they are asked must be in sight.
    if (isAsking) result.current?.scrollIntoView({ block: "start" })
  }, [isAsking])
  useKeys({ run: start })
  return (
    <div className={classes.work}>
      <ToolHead tool={tool} />
      <ArgumentTabs tool={tool} args={args} />
      <Verdict tool={tool.id} args={args} />
      <div className={classes.actions}>
        <Button leftSection={<Play size={14} />} onClick={start} disabled={!canRun || run.isRunning} size="sm">
          {run.isRunning ? words.running : words.run}
        </Button>
        {run.isRunning && (
          <Button variant="default" size="sm" leftSection={<CircleStop size={14} />} onClick={run.stop}>
            {words.stop}
          </Button>
        )}
        <kbd className={classes.key}>Ctrl ↵</kbd>
        <CopyAs tool={tool.id} args={args.value} />
      </div>
      <section ref={result} className={classes.result} aria-label={words.result}>
        <ResultPane run={run} />
      </section>
    </div>
  )
}

function ToolHead({ tool }: { tool: ApiTool }) {
  const words = useWords(runWords)
  const language = useLanguage()
  const summary = toolSummary(tool, language)
  return (
    <header className={classes.head}>
      <a className={classes.back} {...linkTo("/run")}>
        <ArrowLeft size={14} aria-hidden /> {words.allTools}
      </a>
      <h2>
        <ToolIcon kind={tool.kind} size={18} /> {toolTitle(tool, language)} <code>{tool.id}</code>
      </h2>
      <p>{summary}</p>
      {summary !== tool.description && (
        <details>
          <summary>{words.forModel}</summary>
          <p lang="en">{tool.description}</p>
        </details>
      )}
      <div className={classes.badges}>
        <Badge color="gray">{words.kinds[tool.kind]}</Badge>
        <Badge color="gray">{words.tiers[tool.tier]}</Badge>
        {tool.toolset !== undefined && <Badge color="gray">{words.toolset(tool.toolset)}</Badge>}
        {tool.foreign && <Badge color="gray">{words.kinds.foreign}</Badge>}
      </div>
    </header>
  )
}

const tabs = ["form", "json", "schema", "docs"] as const

function ArgumentTabs({ tool, args }: { tool: ApiTool; args: Arguments }) {
  const words = useWords(runWords)
  const { query } = usePlace()
  const view = tabs.find((name) => name === query.view) ?? "form"
  return (
    <Tabs
      className={classes.tabs}
      value={view}
      onChange={(next) => setQuery({ view: next === "form" ? undefined : (next ?? undefined) })}
      keepMounted={false}
    >
      <Examples tool={tool.id} choose={args.setValue} />
      <Tabs.List>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {words.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="form" className={classes.form}>
        <Suspense fallback={<Waiting lines={4} />}>
          <CallForm schema={tool.input_schema} value={args.value} change={args.setValue} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="json" className={classes.form}>
        <JsonArguments args={args} />
      </Tabs.Panel>
      <Tabs.Panel value="schema" className={classes.form}>
        <ToolPapers tool={tool} paper="schema" />
      </Tabs.Panel>
      <Tabs.Panel value="docs" className={classes.form}>
        <ToolPapers tool={tool} paper="docs" />
      </Tabs.Panel>
    </Tabs>
  )
}
