import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ResultsInspector, SearchResults, WebPlaceholder } from "./Web.js"

/** How results of a search in the web are shown. */
export const faces: ToolFaces = {
  Inspector: ResultsInspector,
  Placeholder: WebPlaceholder,
  ...resultFaces(SearchResults),
}
