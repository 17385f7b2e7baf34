import type { Readable, Writable } from "node:stream"
import { BoundedLines, TooLong } from "@haft/runtime"
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server"
import { type PlainCall, plainCall } from "./direct-calls.js"

// A whole file may be written in one call.
const maxFrameBytes = 16 * 1024 * 1024
// All requests that are under way together.
const maxBytesUnderWay = 64 * 1024 * 1024
// A client that does not read gets no more to read: nothing further is taken from it until it does.
const maxUnreadBytes = 4 * 1024 * 1024
// A script that has said everything closes its end and still wants the answers.
const lastAnswersMs = 3000

// Of the codes that a server may choose.
const serverBusy = -32_000

/**
 * Speaks JSON-RPC over two streams, one message a line. A line that is no message is answered as the protocol says, and the
 * connection goes on.
 */
export class StdioFrames implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Gets plain calls first; false when they are for `onmessage`. */
  oncall?: (request: PlainCall) => boolean
  /** Hears of requests that the client gave up before `onmessage` does. */
  oncancel?: (id: RequestId) => void
  /** Resolves when the client is gone. */
  readonly closed: Promise<void>
  private settle: () => void = () => undefined
  private readonly lines = new BoundedLines(maxFrameBytes)
  private isOver = false
  private isEnding = false
  /** Bytes of the requests that are under way. */
  private readonly unanswered = new Map<RequestId, number>()
  private bytesUnderWay = 0

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.closed = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  async start(): Promise<void> {
    this.input.on("data", this.take)
    this.input.on("end", this.endOfInput)
    this.input.on("close", this.endOfInput)
    this.input.on("error", this.broken)
    this.output.on("error", this.broken)
    this.output.on("drain", this.drained)
    if (this.input.readableEnded || this.input.destroyed) this.endOfInput()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.isOver) return
    if (this.output.writableNeedDrain && "method" in message && message.method === "notifications/progress") return
    this.output.write(`${JSON.stringify(message)}\n`)
    if (this.output.writableLength > maxUnreadBytes) this.input.pause()
    if ("id" in message && !("method" in message) && message.id !== undefined) this.answered(message.id)
  }

  async close(): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    this.input.off("data", this.take)
    this.input.pause()
    this.onclose?.()
    this.settle()
  }

  private readonly take = (chunk: Buffer): void => {
    for (const line of this.lines.take(chunk)) {
      if (line instanceof TooLong) {
        const words = `Cannot read a message of ${line.bytes} bytes: at most ${maxFrameBytes} are taken`
        this.refuse(null, ProtocolErrorCode.InvalidRequest, words)
        continue
      }
      const text = line.toString("utf8").trim()
      if (text !== "") this.accept(text)
    }
  }

  private accept(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      this.refuse(null, ProtocolErrorCode.ParseError, `Parse error: ${(error as Error).message.slice(0, 200)}`)
      return
    }
    const call = plainCall(value)
    let message: JSONRPCMessage
    try {
      message = call ?? parseJSONRPCMessage(value)
    } catch {
      const words = "Invalid request: this is no JSON-RPC 2.0 message"
      this.refuse(idOf(value), ProtocolErrorCode.InvalidRequest, words)
      return
    }
    // The messages are valid: what tells them apart are their keys.
    if ("method" in message && "id" in message && !this.admit(message.id, line.length)) return
    if ("method" in message && message.method === "notifications/cancelled") {
      const { requestId } = (message.params ?? {}) as { readonly requestId?: RequestId }
      if (requestId !== undefined) {
        this.settled(requestId)
        this.oncancel?.(requestId)
      }
    }
    if (call && this.oncall?.(call)) return
    this.onmessage?.(message)
  }

  /** Counts a request as under way; false where it was refused. */
  private admit(id: RequestId, bytes: number): boolean {
    if (this.unanswered.has(id)) {
      const words = `Invalid request: the id ${JSON.stringify(id)} is that of a request that is under way`
      this.refuse(id, ProtocolErrorCode.InvalidRequest, words)
      return false
    }
    if (this.bytesUnderWay + bytes > maxBytesUnderWay) {
      const words = `Cannot take another request: those under way have ${this.bytesUnderWay} bytes; wait for some of them`
      this.refuse(id, serverBusy, words)
      return false
    }
    this.unanswered.set(id, bytes)
    this.bytesUnderWay += bytes
    return true
  }

  private refuse(id: RequestId | null, code: number, message: string): void {
    this.onerror?.(new Error(message))
    this.output.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`)
  }

  private answered(id: RequestId): void {
    this.settled(id)
    if (this.isEnding && this.unanswered.size === 0) void this.close()
  }

  private settled(id: RequestId): void {
    this.bytesUnderWay -= this.unanswered.get(id) ?? 0
    this.unanswered.delete(id)
  }

  private readonly endOfInput = (): void => {
    if (this.isEnding) return
    this.isEnding = true
    if (this.unanswered.size === 0) void this.close()
    else setTimeout(() => void this.close(), lastAnswersMs)
  }

  private readonly broken = (error: Error): void => {
    this.onerror?.(error)
    void this.close()
  }

  private readonly drained = (): void => {
    if (!this.isOver) this.input.resume()
  }
}

function idOf(value: unknown): RequestId | null {
  const { id } = (typeof value === "object" && value !== null ? value : {}) as { readonly id?: unknown }
  return typeof id === "string" || typeof id === "number" ? id : null
}
