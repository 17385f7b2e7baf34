import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ClipboardInspector, ClipboardIntervention, ClipboardResult } from "./Clipboard.js"

/** How the clipboard is shown: hidden until a person asks, and whole before it is written. */
export const faces: ToolFaces = {
  Inspector: ClipboardInspector,
  Intervention: ClipboardIntervention,
  ...resultFaces(ClipboardResult),
}
