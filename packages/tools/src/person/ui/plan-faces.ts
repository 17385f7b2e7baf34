import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { PlanIntervention, PlanResult, PlanStreaming } from "./Questions.js"

/** How a plan is shown to who approves it. */
export const faces: ToolFaces = {
  Streaming: PlanStreaming,
  Intervention: PlanIntervention,
  ...resultFaces(PlanResult),
}
