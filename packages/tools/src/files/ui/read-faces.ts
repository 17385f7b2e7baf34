import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ReadInspector, ReadPlaceholder, ReadResult } from "./Read.js"

/** How a read is shown: lines of the file with their numbers, or the picture. */
export const faces: ToolFaces = {
  Inspector: ReadInspector,
  Placeholder: ReadPlaceholder,
  ...resultFaces(ReadResult),
}
