import type { ApiTool } from "@haft/contract"
import { Button, Checkbox, TextInput } from "@mantine/core"
import { Search } from "lucide-react"
import { addressOf, linkTo, setQuery, usePlace } from "../../app/router.js"
import { ToolIcon, toolSummary, toolTitle } from "../../parts/tool-icon.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./run.module.css"
import { runWords } from "./run.words.js"

const groups = ["read", "search", "edit", "move", "delete", "execute", "fetch", "think", "other", "foreign"] as const

/** The catalogue by what tools do, with a filter; arrow keys walk through it. */
export function ToolList({ tools, chosen }: { tools: readonly ApiTool[]; chosen: string | undefined }) {
  const words = useWords(runWords)
  const { query } = usePlace()
  const { q = "", tier = "" } = query
  const shown = tools.filter((tool) => isShown(tool, q, tier))
  return (
    <nav className={classes.tools} aria-label={words.tools}>
      <div className={classes.filter}>
        <TextInput
          data-search
          aria-label={words.filter}
          placeholder={words.filter}
          leftSection={<Search size={14} />}
          value={q}
          onChange={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <Checkbox
          label={words.readOnly}
          checked={tier === "read-only"}
          onChange={(event) => setQuery({ tier: event.currentTarget.checked ? "read-only" : undefined })}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside have the focus; arrows move it. */}
      <div className={classes.groups} onKeyDown={walk}>
        {groups.map((group) => (
          <Group key={group} name={group} tools={shown.filter((tool) => groupOf(tool) === group)} chosen={chosen} />
        ))}
        {shown.length === 0 && (
          <div className={classes.noMatch}>
            <p>{words.noMatch}</p>
            <Button variant="default" onClick={() => setQuery({ q: undefined, tier: undefined })}>
              {words.clear}
            </Button>
          </div>
        )}
      </div>
      <p className={classes.count} aria-live="polite">
        {words.count(shown.length)}
      </p>
    </nav>
  )
}

function Group(props: { name: (typeof groups)[number]; tools: readonly ApiTool[]; chosen: string | undefined }) {
  const words = useWords(runWords)
  const language = useLanguage()
  const { query } = usePlace()
  if (props.tools.length === 0) return null
  const kept = { q: query.q, tier: query.tier }
  return (
    <section>
      <h2 className={classes.group}>{words.kinds[props.name]}</h2>
      <ul className={classes.list}>
        {props.tools.map((tool) => (
          <li key={tool.id}>
            <a
              className={classes.tool}
              aria-current={tool.id === props.chosen ? "true" : undefined}
              title={toolSummary(tool, language)}
              data-tool={tool.id}
              {...linkTo(addressOf(["run", tool.id], kept))}
            >
              <ToolIcon kind={tool.kind} />
              <span className={classes.toolTitle}>{toolTitle(tool, language)}</span>
              <code className={classes.toolId}>{tool.id}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function groupOf({ foreign, kind }: ApiTool): (typeof groups)[number] {
  return foreign ? "foreign" : kind
}

function isShown(tool: ApiTool, q: string, tier: string): boolean {
  if (tier !== "" && tool.tier !== tier) return false
  const { en, "zh-CN": zh } = tool.messages
  const text = `${tool.id} ${tool.title} ${tool.description} ${en.title} ${zh.title} ${zh.summary}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function walk(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-tool]")]
  const place = links.indexOf(document.activeElement as HTMLElement)
  links[Math.max(0, Math.min(links.length - 1, place + (event.key === "ArrowDown" ? 1 : -1)))]?.focus()
  event.preventDefault()
}
