import type { Readable, Writable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { ToolError } from "@haft/contract"
import {
  CancellationReceiverStrategy,
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  NullLogger,
  ResponseError,
  type ResponseMessage,
} from "vscode-jsonrpc/node"
import { BoundedReader, BoundedWriter } from "./message-stream.js"
import type { Notifications, Requests } from "./protocol.js"
import { textOf } from "./values.js"

/** How long a request may take and who may call it off. */
export interface RequestOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a connection is made of. */
export interface ConnectionOptions {
  /** How the server is called in messages. */
  readonly name: string
  readonly output: Readable
  readonly input: Writable
  /** Answers a request of the server; undefined for one that is not known. */
  readonly answer: (method: string, params: unknown) => { readonly result: unknown } | undefined
  readonly onNotification: (method: string, params: unknown) => void
  /** The server cannot be talked to any more. */
  readonly onBroken: (reason: ToolError) => void
}

// Symbols of a whole workspace have a few MB; a larger answer would only fill memory.
const maxMessageBytes = 32 * 1024 * 1024
// What a server may leave unread before it counts as hung.
const maxUnreadBytes = 64 * 1024 * 1024
const askAgainMs = 50
// The document changed meanwhile; the server called the work off and wants to be asked again.
const transientCodes = [-32801, -32802]

/** Requests and notifications to a language server, over its standard streams. */
export class Connection {
  private readonly options: ConnectionOptions
  private readonly reader: BoundedReader
  private readonly rpc: MessageConnection
  /** Ends the requests that wait for an answer. */
  private readonly waiting = new Set<(error: ToolError) => void>()
  private closedBy: ToolError | undefined

  constructor(options: ConnectionOptions) {
    this.options = options
    const { name, input, output, answer, onNotification } = options
    this.reader = new BoundedReader(output, {
      maxBytes: maxMessageBytes,
      onTooLarge: (bytes) => this.endWaiting(tooLarge(name, bytes)),
      onGarbage: (reason) => this.breakOff(`it does not keep to the protocol: ${reason}`),
    })
    const onUnread = () => this.breakOff("it does not read what it is sent")
    const writer = new BoundedWriter(input, { maxUnreadBytes, onUnread })
    const sender = { sendCancellation: (_: unknown, id: number | string) => this.callOff(id), cleanup: () => undefined }
    this.rpc = createMessageConnection(this.reader, writer, NullLogger, {
      cancellationStrategy: { receiver: CancellationReceiverStrategy.Message, sender },
    })
    input.on("error", () => this.breakOff("it closed its input"))
    this.rpc.onError(() => this.breakOff("its output cannot be read"))
    this.rpc.onNotification(onNotification)
    this.rpc.onRequest((method, params) => {
      const known = answer(method, params)
      return known ? (known.result ?? null) : new ResponseError(ErrorCodes.MethodNotFound, "not known")
    })
    this.rpc.listen()
  }

  /** True when the server cannot be asked any more. */
  get isClosed(): boolean {
    return this.closedBy !== undefined
  }

  /** Resolves to the result as the server sent it. A server that says "ask again" is asked again until time is up. */
  async request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method],
    { timeoutMs, signal }: RequestOptions,
  ): Promise<unknown> {
    const endMs = performance.now() + timeoutMs
    for (;;) {
      try {
        return await this.requestOnce(method, params, { timeoutMs: Math.max(endMs - performance.now(), 1), signal })
      } catch (error) {
        if (ToolError.is(error)) throw error
        const isTransient = error instanceof ResponseError && transientCodes.includes(error.code)
        if (!isTransient || performance.now() + askAgainMs > endMs) throw refusal(this.options.name, error)
        await pause(askAgainMs)
      }
    }
  }

  notify<Method extends keyof Notifications>(method: Method, params: Notifications[Method]): void {
    if (this.closedBy) return
    void (params === undefined ? this.rpc.sendNotification(method) : this.rpc.sendNotification(method, params))
  }

  /** Rejects whatever waits, and everything that comes later. */
  close(reason: ToolError): void {
    if (this.closedBy) return
    this.closedBy = reason
    this.rpc.dispose()
  }

  private async requestOnce(method: string, params: unknown, { timeoutMs, signal }: RequestOptions): Promise<unknown> {
    const { name } = this.options
    if (this.closedBy) throw this.closedBy
    if (signal.aborted) throw calledOff(name, signal)
    const source = new CancellationTokenSource()
    let givenUp: ToolError | undefined
    const giveUp = (error: ToolError) => {
      givenUp ??= error
      source.cancel()
    }
    const onAbort = () => giveUp(calledOff(name, signal))
    const timer = setTimeout(() => giveUp(late(name, method, timeoutMs)), timeoutMs)
    signal.addEventListener("abort", onAbort, { once: true })
    this.waiting.add(giveUp)
    try {
      return await (params === undefined
        ? this.rpc.sendRequest(method, source.token)
        : this.rpc.sendRequest(method, params, source.token))
    } catch (error) {
      throw givenUp ?? this.closedBy ?? error
    } finally {
      this.waiting.delete(giveUp)
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
      source.dispose()
    }
  }

  /** Tells the server that nobody waits any more. It may never answer, so its request is answered here and forgotten. */
  private async callOff(id: number | string): Promise<void> {
    if (this.closedBy) return
    const sent = this.rpc.sendNotification("$/cancelRequest", { id })
    const answer: ResponseMessage = { jsonrpc: "2.0", id, error: { code: -32800, message: "called off" } }
    this.reader.inject(answer)
    await sent
  }

  private breakOff(reason: string): void {
    if (this.closedBy) return
    const error = new ToolError("backend", `Cannot talk to the language server "${this.options.name}": ${reason}`)
    this.close(error)
    this.options.onBroken(error)
  }

  private endWaiting(error: ToolError): void {
    for (const giveUp of [...this.waiting]) giveUp(error)
  }
}

const maxWords = 500

/** The error of a request that a server refused. */
function refusal(name: string, error: unknown): ToolError {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const details = { code }
  if (code === ErrorCodes.MethodNotFound) {
    return new ToolError("unsupported", `Cannot ask the language server "${name}": it does not know this request`, {
      details,
    })
  }
  const words = textOf(message, maxWords) || "no reason given"
  return new ToolError("backend", `Cannot ask the language server "${name}": ${words}`, { details })
}

function calledOff(name: string, { reason }: AbortSignal): ToolError {
  if (ToolError.is(reason)) return reason
  const timedOut = reason instanceof DOMException && reason.name === "TimeoutError"
  return timedOut
    ? new ToolError("timeout", `Cannot ask the language server "${name}": it did not answer in time`)
    : new ToolError("cancelled", `Cannot ask the language server "${name}": the call was cancelled`, { cause: reason })
}

function late(name: string, method: string, timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `Cannot ask the language server "${name}": no answer to ${method} within ${Math.ceil(timeoutMs / 1000)} s`,
    { hint: ["It may still be reading the project: try again later", { say: "Use {tool:grep} instead" }] },
  )
}

function tooLarge(name: string, bytes: number): ToolError {
  const megabytes = Math.ceil(bytes / 1024 / 1024)
  return new ToolError(
    "too_large",
    `Cannot take the answer of the language server "${name}": it has ${megabytes} MB; ask for less, for instance with a longer query`,
  )
}
