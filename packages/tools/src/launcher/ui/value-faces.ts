import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ValueInspector, ValueResult } from "./Value.js"

/** How a calculation is shown: the expression and what it comes to. */
export const faces: ToolFaces = { Inspector: ValueInspector, ...resultFaces(ValueResult) }
