import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { MessageResult, MessageStreaming } from "./Message.js"

/** How a message to the person is shown: as its text. */
export const faces: ToolFaces = {
  Streaming: MessageStreaming,
  ...resultFaces(MessageResult),
}
