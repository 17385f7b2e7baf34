import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { ChangeFailure, ChangeInspector, ChangePlaceholder, ChangeResult, ChangeStreaming } from "./Change.js"
import { ChangeIntervention } from "./ChangeIntervention.js"

/** How changes of files are shown: as a diff, while they are written, before they are made and afterwards. */
export const faces: ToolFaces = {
  Inspector: ChangeInspector,
  Placeholder: ChangePlaceholder,
  Streaming: ChangeStreaming,
  Intervention: ChangeIntervention,
  ...resultFaces(ChangeResult, ChangeFailure),
}
