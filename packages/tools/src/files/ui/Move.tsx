import type { InspectorProps } from "@haft/contract"
import {
  Chip,
  DataTable,
  InspectorLine,
  knownArgs,
  listAt,
  type ResultProps,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

export function MoveInspector(props: InspectorProps) {
  const say = useSay()
  const moves = listAt(knownArgs(props), "moves")
  return (
    <InspectorLine props={props}>{moves.length > 1 && <Chip>{say("files", { n: moves.length })}</Chip>}</InspectorLine>
  )
}

export function MoveResult({ data, isWhole }: ResultProps) {
  const say = useSay()
  const own = useWords(words)
  const rows = listAt(data, "moved").map((move) => [textAt(move, "from") ?? "", textAt(move, "to") ?? ""])
  return (
    <DataTable label={say("result")} head={[own("moveFrom"), own("moveTo")]} rows={rows} maxRows={isWhole ? 500 : 20} />
  )
}
