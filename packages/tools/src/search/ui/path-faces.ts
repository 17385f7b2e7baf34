import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { PathResult, SearchInspector, SearchPlaceholder } from "./Search.js"

/** How paths that were found are shown: as a list or a tree. */
export const faces: ToolFaces = {
  Inspector: SearchInspector,
  Placeholder: SearchPlaceholder,
  ...resultFaces(PathResult),
}
