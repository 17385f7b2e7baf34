import type { InspectorProps, InterventionProps } from "@haft/contract"
import {
  ArgumentsEditor,
  Chip,
  DataTable,
  DiffView,
  Facts,
  flagAt,
  InspectorLine,
  listAt,
  Note,
  numberAt,
  Preview,
  type ResultProps,
  recordOf,
  TextView,
  textAt,
  textsAt,
  unifiedHunks,
  useSay,
  useWords,
} from "@haft/faces"
import type { ReactNode } from "react"
import { commitGraph } from "./commit-graph.js"
import { words } from "./words.js"

/** The command with what it names, the branch, and whether something is changed. */
export function GitInspector(props: InspectorProps) {
  const own = useWords(words)
  const dirty = numberAt(props.pluginState, "dirty_count")
  const branch = textAt(props.pluginState, "branch")
  return (
    <InspectorLine props={props}>
      {branch !== undefined && <Chip>{branch.slice(0, 80)}</Chip>}
      {dirty !== undefined && <Chip>{dirty === 0 ? own("clean") : own("dirty", { n: dirty })}</Chip>}
    </InspectorLine>
  )
}

/** What the command would do; that changes would be lost is said first. */
export function GitIntervention({ args, request, onArgsChange }: InterventionProps) {
  const own = useWords(words)
  return (
    <>
      {flagAt(args, "force") && <Note tone="bad">{own("forces")}</Note>}
      {request?.preview && <Preview preview={request.preview} />}
      <ArgumentsEditor args={args} onChange={onArgsChange} />
    </>
  )
}

export function GitResult({ data, details, isWhole }: ResultProps) {
  const own = useWords(words)
  const [ahead, behind] = [numberAt(data, "ahead"), numberAt(data, "behind")]
  const text = textAt(data, "text") ?? ""
  const hunks = textAt(data, "command") === "diff" || text.startsWith("diff --git") ? unifiedHunks(text) : []
  const table = useTables(data, details).find(({ rows }) => rows.length > 0)
  return (
    <>
      <Facts
        facts={{
          [own("branch")]: textAt(data, "branch"),
          [own("commit")]: textAt(data, "commit")?.slice(0, 12),
          [own("upstream")]: textAt(data, "upstream"),
          [own("state")]: ahead !== undefined && own("aheadBehind", { ahead, behind: behind ?? 0 }),
          [own("neutralised")]: textsAt(data, "neutralised").join(", "),
        }}
      />
      {hunks.length > 0 && <DiffView path={textsAt(data, "paths").join(", ")} hunks={hunks} />}
      {hunks.length === 0 && table && <DataTable {...table} maxRows={isWhole ? 500 : 15} />}
      {hunks.length === 0 && !table && <TextView text={text} maxLines={isWhole ? 2000 : 30} />}
    </>
  )
}

function Graph({ row }: { readonly row: string }) {
  return (
    <span className="haft-graph" aria-hidden>
      {row}
    </span>
  )
}

function parentsIn(details: unknown): readonly (readonly string[])[] {
  return listAt(details, "parents").map((parents) => (Array.isArray(parents) ? parents.map(String) : []))
}

/** Every list that a command can answer with, as a table. */
function useTables(data: unknown, details: unknown) {
  const say = useSay()
  const own = useWords(words)
  const table = (
    key: string,
    head: readonly string[],
    row: (entry: unknown, index: number) => readonly ReactNode[],
  ) => ({
    label: say("result"),
    head,
    rows: listAt(data, key).map(row),
  })
  const at = (entry: unknown, ...keys: string[]) => keys.map((key) => textAt(entry, key) ?? "")
  const graph = commitGraph(
    listAt(data, "commits").map((entry) => textAt(entry, "commit") ?? ""),
    parentsIn(details),
  )
  const log = [...(graph ? [own("graph")] : []), own("commit"), own("date"), own("author"), own("message")]
  return [
    table("commits", log, (entry, index) => [
      ...(graph ? [<Graph key="graph" row={graph[index] ?? ""} />] : []),
      ...at(entry, "id", "date", "author", "message"),
    ]),
    table("branches", [own("branch"), own("commit"), own("upstream")], (entry) => [
      `${textAt(entry, "name") ?? ""}${recordOf(entry).current === true ? ` (${own("current")})` : ""}`,
      (textAt(entry, "commit") ?? "").slice(0, 12),
      textAt(entry, "upstream") ?? "",
    ]),
    table("stashes", [own("name"), own("date"), own("message")], (entry) => at(entry, "name", "date", "message")),
    table("remotes", [own("name"), own("address")], (entry) => at(entry, "name", "fetch")),
    table("worktrees", [own("path"), own("branch")], (entry) => at(entry, "path", "branch")),
    table("entries", [own("state"), own("path")], (entry) => at(entry, "state", "path")),
  ]
}
