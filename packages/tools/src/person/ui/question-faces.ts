import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { QuestionIntervention, QuestionResult, QuestionStreaming } from "./Questions.js"

/** How questions to a person are shown: they are asked, and afterwards stand there with their answers. */
export const faces: ToolFaces = {
  Streaming: QuestionStreaming,
  Intervention: QuestionIntervention,
  ...resultFaces(QuestionResult),
}
