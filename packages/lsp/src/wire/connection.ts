import type { Readable, Writable } from "node:stream"
import { ToolError } from "@haft/contract"
import { createMessageReader } from "./message-reader.js"
import { messageBytes } from "./message-bytes.js"
import { isTransient, refusal } from "./refusal.js"
import { recordOf } from "./values.js"

/** How long a request may take and who may call it off. */
export interface RequestOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Requests and notifications to a language server. */
export interface Connection {
  /** Resolves to the result as the server sent it. A server that says "ask again" is asked again until time is up. */
  request(method: string, params: unknown, options: RequestOptions): Promise<unknown>
  notify(method: string, params: unknown): void
  /** True when the server cannot be asked any more. */
  isClosed(): boolean
  /** Rejects whatever waits, and everything that comes later. */
  close(reason: ToolError): void
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
const maxUnsentBytes = 64 * 1024 * 1024
const askAgainMs = 50

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Talks JSON-RPC over the standard streams of a server. */
export function createConnection(options: ConnectionOptions): Connection {
  const { name, input, output, answer, onNotification, onBroken } = options
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closed: ToolError | undefined

  const reader = createMessageReader({
    maxBytes: maxMessageBytes,
    onMessage: receive,
    onTooLarge: (bytes) => rejectAll(tooLarge(name, bytes)),
    onGarbage: (reason) => breakOff(`it does not keep to the protocol: ${reason}`),
  })
  output.on("data", (chunk: Buffer) => reader.push(chunk))
  output.on("error", () => breakOff("its output cannot be read"))
  input.on("error", () => breakOff("it closed its input"))

  return {
    async request(method, params, { timeoutMs, signal }) {
      const endMs = performance.now() + timeoutMs
      for (;;) {
        try {
          return await requestOnce(method, params, { timeoutMs: Math.max(endMs - performance.now(), 1), signal })
        } catch (error) {
          if (!isTransient(error) || performance.now() + askAgainMs > endMs) throw error
          await new Promise((resolve) => setTimeout(resolve, askAgainMs))
        }
      }
    },
    notify: (method, params) => send({ method, params }),
    isClosed: () => closed !== undefined,
    close,
  }

  function requestOnce(method: string, params: unknown, { timeoutMs, signal }: RequestOptions): Promise<unknown> {
    if (closed) return Promise.reject(closed)
    if (signal.aborted) return Promise.reject(calledOff(name, signal))
    return new Promise((resolve, reject) => {
      const id = ++lastId
      const giveUp = (error: ToolError) => {
        settle()
        send({ method: "$/cancelRequest", params: { id } })
        reject(error)
      }
      const onAbort = () => giveUp(calledOff(name, signal))
      const timer = setTimeout(() => giveUp(late(name, method, timeoutMs)), timeoutMs)
      const settle = () => {
        waiting.delete(id)
        clearTimeout(timer)
        signal.removeEventListener("abort", onAbort)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      waiting.set(id, {
        resolve: (result) => {
          settle()
          resolve(result)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
      send({ id, method, ...(params !== undefined && { params }) })
    })
  }

  function receive(value: unknown): void {
    const message = recordOf(value)
    if (!message) return
    const { method } = message
    if (typeof method === "string") receiveCall(method, message)
    else receiveAnswer(message)
  }

  function receiveCall(method: string, { id, params }: Readonly<Record<string, unknown>>): void {
    if (id === undefined || id === null) {
      onNotification(method, params)
      return
    }
    const known = answer(method, params)
    send(known ? { id, result: known.result ?? null } : { id, error: { code: -32601, message: "not known" } })
  }

  function receiveAnswer(message: Readonly<Record<string, unknown>>): void {
    const { id } = message
    const request = typeof id === "number" ? waiting.get(id) : undefined
    if (!request) return
    if (message.error === undefined || message.error === null) request.resolve(message.result ?? null)
    else request.reject(refusal(name, message.error))
  }

  function send(message: object): void {
    if (closed) return
    input.write(messageBytes(message))
    if (input.writableLength > maxUnsentBytes) breakOff("it does not read what it is sent")
  }

  function breakOff(reason: string): void {
    if (closed) return
    const error = new ToolError("backend", `Cannot talk to the language server "${name}": ${reason}`)
    close(error)
    onBroken(error)
  }

  function close(reason: ToolError): void {
    if (closed) return
    closed = reason
    rejectAll(reason)
  }

  function rejectAll(error: ToolError): void {
    for (const request of [...waiting.values()]) request.reject(error)
  }
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
