import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { TodoInspector, TodoResult, TodoStreaming } from "./Todos.js"

/** How the list of steps is shown. */
export const faces: ToolFaces = { Inspector: TodoInspector, Streaming: TodoStreaming, ...resultFaces(TodoResult) }
