import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { QuestionIntervention, QuestionResult, QuestionStreaming } from "./Questions.js"

/** How questions to a person are shown: first as a form, afterwards with their answers. */
export const faces: ToolFaces = {
  Streaming: QuestionStreaming,
  Intervention: QuestionIntervention,
  ...resultFaces(QuestionResult),
}
