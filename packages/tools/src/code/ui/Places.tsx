import type { InspectorProps } from "@haft/contract"
import {
  Chip,
  flagAt,
  InspectorLine,
  listAt,
  Markdown,
  Note,
  numberAt,
  type ResultGroup,
  ResultList,
  type ResultProps,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

export function PlacesInspector(props: InspectorProps) {
  const say = useSay()
  return (
    <InspectorLine props={props}>
      {props.pluginState !== undefined && (
        <Chip>{say("entries", { n: listAt(props.pluginState, "items").length })}</Chip>
      )}
    </InspectorLine>
  )
}

export function PlacesResult({ data, isWhole }: ResultProps) {
  const own = useWords(words)
  const groups = new Map<string, ResultGroup["hits"]>()
  for (const item of listAt(data, "items")) {
    const path = textAt(item, "path") ?? ""
    const kind = [textAt(item, "severity"), textAt(item, "kind")].filter((part) => part !== undefined).join(" ")
    const text = `${kind === "" ? "" : `[${kind}] `}${textAt(item, "text") ?? ""}`
    groups.set(path, [...(groups.get(path) ?? []), { line: numberAt(item, "line") ?? 0, text }])
  }
  const text = textAt(data, "text")
  return (
    <>
      {text !== undefined && <Markdown text={text} />}
      <ResultList
        groups={[...groups].map(([path, hits]) => ({ path, hits }))}
        perGroup={isWhole ? 200 : 8}
        maxGroups={isWhole ? 200 : 10}
      />
      {data.fresh === false && <Note tone="warn">{own("stale")}</Note>}
      {flagAt(data, "fresh") && textAt(data, "server") !== undefined && (
        <Note>{`${own("server")}: ${textAt(data, "server")}`}</Note>
      )}
    </>
  )
}
