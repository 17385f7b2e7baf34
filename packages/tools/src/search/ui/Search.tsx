import { bestEffort, type InspectorProps, type PlaceholderProps } from "@haft/contract"
import {
  Chip,
  flagAt,
  InspectorLine,
  knownArgs,
  listAt,
  Note,
  numberAt,
  PathTree,
  type ResultGroup,
  type ResultHit,
  ResultList,
  type ResultProps,
  Skeleton,
  Switch,
  textAt,
  textsAt,
  useSay,
  useWords,
} from "@haft/faces"
import { useMemo, useState } from "react"
import { words } from "./words.js"

/** What is looked for, where, and how much was found. */
export function SearchInspector(props: InspectorProps) {
  const say = useSay()
  const own = useWords(words)
  const args = knownArgs(props)
  const path = textAt(args, "path") ?? textAt(args, "glob")
  const matches = numberAt(props.pluginState, "match_count") ?? numberAt(props.pluginState, "numMatches")
  const files = numberAt(props.pluginState, "file_count") ?? numberAt(props.pluginState, "numFiles")
  const paths = numberAt(props.pluginState, "total") ?? pathsIn(props.pluginState)?.length
  return (
    <InspectorLine props={props}>
      {path !== undefined && <Chip>{own("inPath", { path })}</Chip>}
      {matches !== undefined && <Chip>{say("matches", { n: matches })}</Chip>}
      {files !== undefined && <Chip>{say("files", { n: files })}</Chip>}
      {matches === undefined && files === undefined && paths !== undefined && <Chip>{say("files", { n: paths })}</Chip>}
    </InspectorLine>
  )
}

export function SearchPlaceholder({ words: { loading } }: PlaceholderProps) {
  return <Skeleton label={loading} rows={6} shape="rows" />
}

/** Matching lines with those around them, by file. */
export function MatchResult({ args, data, content, isWhole }: ResultProps) {
  const own = useWords(words)
  const [filter, setFilter] = useState("")
  const all = useMemo(() => groupsOf(listAt(data, "matches")), [data])
  const groups = filter === "" ? all : filtered(all, filter.toLowerCase())
  const paths = pathsIn(data)
  return (
    <>
      {isWhole && all.length > 0 && <Filter value={filter} onChange={setFilter} />}
      {all.length > 0 && groups.length === 0 && <Note>{own("nothingLeft")}</Note>}
      {groups.length > 0 && (
        <ResultList
          groups={groups}
          match={expression(args)}
          perGroup={isWhole ? 200 : 5}
          maxGroups={isWhole ? 200 : 10}
        />
      )}
      {all.length === 0 && paths !== undefined && paths.length > 0 && <PathTree paths={paths} />}
      {all.length === 0 && (paths?.length ?? 0) === 0 && <Note>{textAt(data, "content") || own("nothingFound")}</Note>}
      <SearchNotes data={data} content={content} />
    </>
  )
}

/** Paths, one below the other or as a tree of folders. */
export function PathResult({ data, content, isWhole }: ResultProps) {
  const own = useWords(words)
  const [view, setView] = useState<"list" | "tree">("list")
  const [filter, setFilter] = useState("")
  const all = pathsIn(data) ?? []
  const paths = filter === "" ? all : all.filter((path) => path.toLowerCase().includes(filter.toLowerCase()))
  return (
    <>
      {isWhole && all.length > 0 && <Filter value={filter} onChange={setFilter} />}
      {paths.length > 3 && (
        <Switch
          label={own("view")}
          value={view}
          onChange={setView}
          options={{ list: own("list"), tree: own("tree") }}
        />
      )}
      {paths.length === 0 && <Note>{own(all.length === 0 ? "nothingFound" : "nothingLeft")}</Note>}
      {view === "tree" ? (
        <PathTree paths={paths} />
      ) : (
        <ResultList groups={paths.map((path) => ({ path, hits: [] }))} maxGroups={isWhole ? 1000 : 20} />
      )}
      <SearchNotes data={data} content={content} />
    </>
  )
}

/** Narrows what was found; nothing is searched again. */
function Filter({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const own = useWords(words)
  return (
    <input
      type="search"
      aria-label={own("filter")}
      placeholder={own("filter")}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The files whose path has this text, and of the others the lines that have it. */
function filtered(groups: readonly ResultGroup[], text: string): readonly ResultGroup[] {
  return groups.flatMap((group) => {
    if (group.path.toLowerCase().includes(text)) return [group]
    const hits = group.hits.filter((hit) => !hit.around && hit.text.toLowerCase().includes(text))
    return hits.length === 0 ? [] : [{ ...group, hits }]
  })
}

function SearchNotes({ data }: Pick<ResultProps, "data" | "content">) {
  const own = useWords(words)
  return (
    <>
      {flagAt(data, "timed_out") && <Note tone="warn">{own("timedOut")}</Note>}
      {data.complete === false && !flagAt(data, "timed_out") && <Note tone="warn">{own("mayBeMore")}</Note>}
    </>
  )
}

function pathsIn(data: unknown): readonly string[] | undefined {
  const paths = [...textsAt(data, "paths"), ...textsAt(data, "filenames")]
  return paths.length > 0 || Array.isArray((data as { paths?: unknown } | undefined)?.paths) ? paths : undefined
}

/** Matches by file, each with the lines around it; a line that two matches share is drawn once. */
function groupsOf(matches: readonly unknown[]): readonly ResultGroup[] {
  const groups = new Map<string, Map<number, ResultHit>>()
  for (const match of matches) {
    const path = textAt(match, "path") ?? ""
    const lines = groups.get(path) ?? new Map<number, ResultHit>()
    groups.set(path, lines)
    const line = numberAt(match, "line") ?? lines.size + 1
    const before = textsAt(match, "before")
    const around = [
      ...before.map((text, index) => ({ line: line - before.length + index, text })),
      ...textsAt(match, "after").map((text, index) => ({ line: line + 1 + index, text })),
    ]
    for (const each of around) if (!lines.has(each.line)) lines.set(each.line, { ...each, around: true })
    lines.set(line, { line, text: textAt(match, "text") ?? "" })
  }
  return [...groups].map(([path, lines]) => ({
    path,
    hits: [...lines.values()].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
  }))
}

/** What is set in bold: the pattern, where it is a short one that reads the same here. */
function expression(args: unknown): RegExp | undefined {
  const pattern = textAt(args, "pattern")
  // A pattern of another syntax, or one that could take long here, marks nothing: only plain words and simple choices do.
  if (pattern === undefined || pattern.length > 200 || !/^[\w\s|.\-/:"'=<>@#,;]+$/.test(pattern)) return undefined
  const isAnyCase = (args as Record<string, unknown>)["-i"] === true
  return bestEffort("nothing is marked then", () => new RegExp(pattern, isAnyCase ? "i" : ""))
}
