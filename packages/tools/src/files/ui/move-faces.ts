import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { MoveInspector, MoveResult } from "./Move.js"

/** How moves are shown: from where to where. */
export const faces: ToolFaces = { Inspector: MoveInspector, ...resultFaces(MoveResult) }
