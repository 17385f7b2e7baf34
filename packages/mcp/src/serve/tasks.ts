import {
  type CallToolResult,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import * as z from "zod"
import type { OpenCall } from "./open-call.js"

/** The extension by which a client polls for a long call. */
export const tasksExtension = "io.modelcontextprotocol/tasks"

// A call that ends sooner is answered as usual.
const quickMs = 2000
const pollIntervalMs = 1000
const keptMs = 3_600_000
const maxTasks = 1000

interface Task {
  readonly call: OpenCall
  readonly createdAt: string
  lastUpdatedAt: string
  isCancelled: boolean
}

/** The long calls of a session that its client polls for. A result is kept for an hour. */
export class Tasks {
  private readonly tasks = new Map<string, Task>()

  /** The call as a task, unless it ends, asks or is cancelled very soon. */
  async offer(call: OpenCall, request: AbortSignal): Promise<CallToolResult | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), quickMs)
    })
    const first = await Promise.race([call.next(), late])
    clearTimeout(timer)
    if (first !== "late" || request.aborted) return undefined
    const now = new Date().toISOString()
    const task: Task = { call, createdAt: now, lastUpdatedAt: now, isCancelled: false }
    this.tasks.set(call.id, task)
    const [oldest] = this.tasks.keys()
    if (this.tasks.size > maxTasks && oldest !== undefined) this.forget(oldest)
    void call.ended().then(() => {
      task.lastUpdatedAt = new Date().toISOString()
      setTimeout(() => this.forget(call.id), keptMs).unref()
    })
    return { resultType: "task", content: [], ...stateOf(task) }
  }

  get(taskId: string): Result {
    const task = this.named(taskId)
    const { step } = task.call
    if (step?.at === "asks") {
      const { key, form } = step.question
      return { ...stateOf(task), inputRequests: { [key]: inputRequired.elicit(form) } }
    }
    return { ...stateOf(task), ...(step && !task.isCancelled && { result: step.result }) }
  }

  update(taskId: string, inputResponses: Record<string, unknown> | undefined): Result {
    const { call } = this.named(taskId)
    for (const key of Object.keys(inputResponses ?? {})) {
      const response = inputResponse(inputResponses, key)
      if (response.kind === "elicit") call.answer(key, response)
    }
    return {}
  }

  cancel(taskId: string): Result {
    const task = this.named(taskId)
    if (task.call.step?.at !== "ended") {
      task.isCancelled = true
      task.call.abort()
    }
    return {}
  }

  private named(taskId: string): Task {
    const task = this.tasks.get(taskId)
    if (task) return task
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown task: ${taskId}`)
  }

  private forget(taskId: string): void {
    this.tasks.get(taskId)?.call.abort()
    this.tasks.delete(taskId)
  }
}

function stateOf({ call, createdAt, lastUpdatedAt, isCancelled }: Task) {
  const { step, output } = call
  const status = isCancelled
    ? "cancelled"
    : step === undefined
      ? "working"
      : step.at === "asks"
        ? "input_required"
        : "completed"
  return {
    taskId: call.id,
    status,
    ...(status === "working" && output.lastLine !== "" && { statusMessage: output.lastLine }),
    createdAt,
    lastUpdatedAt,
    ttlMs: keptMs,
    pollIntervalMs,
  }
}

/** Whether the client of a request can poll: only the revision of 2026 knows how. */
export function canPoll({ extensions }: ClientCapabilities, { mcpReq: { envelope } }: ServerContext): boolean {
  return envelope !== undefined && extensions?.[tasksExtension] !== undefined
}

const taskParams = { params: z.looseObject({ taskId: z.string() }) }

/** Serves the methods of the extension. */
export function serveTasks(server: Server, tasksOf: (context: ServerContext) => Tasks): void {
  server.setRequestHandler("tasks/get", taskParams, ({ taskId }, context) => tasksOf(context).get(taskId))
  server.setRequestHandler("tasks/update", taskParams, ({ taskId }, context) =>
    tasksOf(context).update(taskId, context.mcpReq.inputResponses),
  )
  server.setRequestHandler("tasks/cancel", taskParams, ({ taskId }, context) => tasksOf(context).cancel(taskId))
}
