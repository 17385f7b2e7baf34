import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import {
  CommandInspector,
  CommandIntervention,
  CommandPlaceholder,
  CommandResult,
  CommandStreaming,
} from "./Command.js"

/** How a command is shown: as in a terminal. */
export const faces: ToolFaces = {
  Inspector: CommandInspector,
  Placeholder: CommandPlaceholder,
  Streaming: CommandStreaming,
  Intervention: CommandIntervention,
  ...resultFaces(CommandResult),
}
