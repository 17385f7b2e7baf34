import type { ApiTool } from "@haft/contract"
import { SegmentedControl, TextInput } from "@mantine/core"
import { Search } from "lucide-react"
import { addressOf, linkTo, setQuery, usePlace } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import { Loaded } from "../../parts/states.js"
import { ToolIcon, toolTitle } from "../../parts/tool-icon.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./gallery.module.css"
import { galleryWords } from "./gallery.words.js"
import { ToolStories } from "./tool-stories.js"

/** Every tool in every state; the address names the tool. */
export default function GalleryScreen() {
  const words = useWords(galleryWords)
  const { path, query } = usePlace()
  const { tools, reload } = useKnown()
  return (
    <Loaded resource={tools} retry={reload} lines={14}>
      {(list) => {
        const chosen = list.find(({ id }) => id === path[1]) ?? list[0]
        return (
          <div className={classes.screen}>
            <Chooser tools={list} chosen={chosen?.id} />
            <div className={classes.stories}>
              <p className={classes.what}>{words.what}</p>
              <SegmentedControl
                aria-label={words.width}
                value={query.width === "320" ? "320" : "full"}
                onChange={(next) => setQuery({ width: next === "full" ? undefined : next })}
                data={[
                  { value: "full", label: words.widths.full },
                  { value: "320", label: words.widths.phone },
                ]}
              />
              {chosen && <ToolStories key={chosen.id} tool={chosen} isNarrow={query.width === "320"} />}
            </div>
          </div>
        )
      }}
    </Loaded>
  )
}

function Chooser({ tools, chosen }: { tools: readonly ApiTool[]; chosen: string | undefined }) {
  const words = useWords(galleryWords)
  const language = useLanguage()
  const { q = "", width } = usePlace().query
  const shown = tools.filter((tool) =>
    `${tool.id} ${toolTitle(tool, language)}`.toLowerCase().includes(q.toLowerCase()),
  )
  return (
    <nav className={classes.chooser} aria-label={words.tools}>
      <TextInput
        data-search
        aria-label={words.filter}
        placeholder={words.filter}
        leftSection={<Search size={14} />}
        value={q}
        onChange={(event) => setQuery({ q: event.currentTarget.value })}
      />
      {shown.length === 0 && <p>{words.none}</p>}
      <ul>
        {shown.map((tool) => (
          <li key={tool.id}>
            <a
              aria-current={tool.id === chosen ? "true" : undefined}
              {...linkTo(addressOf(["gallery", tool.id], { q, width }))}
            >
              <ToolIcon kind={tool.kind} /> {toolTitle(tool, language)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
