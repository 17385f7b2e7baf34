import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { FoundInspector, FoundResult } from "./Found.js"

/** How tools or entries that were found are shown: what they are called, and what they are. */
export const faces: ToolFaces = { Inspector: FoundInspector, ...resultFaces(FoundResult) }
