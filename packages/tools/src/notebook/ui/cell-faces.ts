import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { CellInspector, CellIntervention, CellResult, CellStreaming } from "./Cell.js"

/** How a change of a notebook is shown: the cell before and after. */
export const faces: ToolFaces = {
  Inspector: CellInspector,
  Streaming: CellStreaming,
  Intervention: CellIntervention,
  ...resultFaces(CellResult),
}
