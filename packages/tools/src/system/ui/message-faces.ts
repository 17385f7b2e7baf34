import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { MessageInspector, MessageResult, MessageStreaming } from "./Message.js"

/** How a message to the person is shown: as its text. */
export const faces: ToolFaces = {
  Inspector: MessageInspector,
  Streaming: MessageStreaming,
  ...resultFaces(MessageResult),
}
