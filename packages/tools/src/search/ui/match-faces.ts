import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { MatchResult, SearchInspector, SearchPlaceholder } from "./Search.js"

/** How lines that were found are shown: grouped by file. */
export const faces: ToolFaces = {
  Inspector: SearchInspector,
  Placeholder: SearchPlaceholder,
  ...resultFaces(MatchResult),
}
