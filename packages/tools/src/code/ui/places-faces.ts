import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { PlacesInspector, PlacesResult } from "./Places.js"

/** How places in code are shown: by file, with the severity of problems. */
export const faces: ToolFaces = { Inspector: PlacesInspector, ...resultFaces(PlacesResult) }
