import type { ToolFaces } from "@haft/contract"
import { resultFaces } from "@haft/faces"
import { TaskInspector, TaskResult, TaskStreaming } from "./Task.js"

/** How work of another agent is shown: the task, what it says while it works, and its report. */
export const faces: ToolFaces = { Inspector: TaskInspector, Streaming: TaskStreaming, ...resultFaces(TaskResult) }
