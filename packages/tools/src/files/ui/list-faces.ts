import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ListInspector, ListResult } from "./List.js"

/** How a folder is shown: its entries in a table. */
export const faces: ToolFaces = { Inspector: ListInspector, ...resultFaces(ListResult) }
