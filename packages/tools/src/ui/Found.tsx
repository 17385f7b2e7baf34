import type { InspectorProps } from "@haft/contract"
import {
  Chip,
  DataTable,
  defineWords,
  InspectorLine,
  listAt,
  Note,
  numberAt,
  type ResultProps,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"

export function FoundInspector(props: InspectorProps) {
  const say = useSay()
  return (
    <InspectorLine props={props}>
      {props.pluginState !== undefined && <Chip>{say("entries", { n: foundIn(props.pluginState).length })}</Chip>}
    </InspectorLine>
  )
}

export function FoundResult({ data, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const unlisted = numberAt(data, "unlisted") ?? 0
  const rows = foundIn(data).map((entry) =>
    typeof entry === "string"
      ? [entry, ""]
      : [
          textAt(entry, "name") ?? textAt(entry, "id") ?? "",
          textAt(entry, "description") ?? textAt(entry, "type") ?? "",
        ],
  )
  return (
    <>
      {rows.length === 0 ? (
        <Note>{say("nothing")}</Note>
      ) : (
        <DataTable label={say("result")} head={[own("name"), own("does")]} rows={rows} maxRows={isWhole ? 500 : 10} />
      )}
      {unlisted > 0 && <Note>{own("unlisted", { n: unlisted })}</Note>}
    </>
  )
}

function foundIn(data: unknown): readonly unknown[] {
  return [...listAt(data, "matches"), ...listAt(data, "results")]
}

/** What faces say that several families use. */
const words = defineWords(
  {
    name: "Name",
    does: "What it is",
    unlisted: "{n} tool is not listed|{n} tools are not listed",
  },
  {
    name: "名称",
    does: "说明",
    unlisted: "有 {n} 个工具未列出",
  },
)
