import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { OverviewResult } from "./Overview.js"

/** How the overview of a repository is shown: its languages and its tree. */
export const faces: ToolFaces = resultFaces(OverviewResult)
