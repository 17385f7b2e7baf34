import type { InspectorProps } from "@haft/contract"
import {
  Chip,
  callSubject,
  DataTable,
  InspectorLine,
  knownArgs,
  listAt,
  Note,
  numberAt,
  type ResultProps,
  sizeText,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

export function ListInspector(props: InspectorProps) {
  const say = useSay()
  const { length } = listAt(props.pluginState, "entries")
  return (
    <InspectorLine props={props} subject={callSubject(knownArgs(props)) ?? "."}>
      <Chip>{say("entries", { n: length })}</Chip>
    </InspectorLine>
  )
}

/** Name, kind, size and time of each entry. */
export function ListResult({ data, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const denied = numberAt(data, "denied")
  const rows = listAt(data, "entries").map((entry) => [
    `${textAt(entry, "name") ?? ""}${textAt(entry, "type") === "directory" ? "/" : ""}`,
    textAt(entry, "type") ?? "",
    textAt(entry, "type") === "file" ? sizeText(numberAt(entry, "size") ?? 0) : "",
    (textAt(entry, "mtime") ?? "").slice(0, 16).replace("T", " "),
  ])
  return (
    <>
      {rows.length === 0 ? (
        <Note>{say("empty")}</Note>
      ) : (
        <DataTable
          label={say("result")}
          head={[own("name"), own("type"), own("size"), own("changed")]}
          rows={rows}
          maxRows={isWhole ? 500 : 20}
        />
      )}
      {denied !== undefined && <Note>{own("deniedEntries", { n: denied })}</Note>}
    </>
  )
}
