import type { Readable, Writable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc/node"
import { recordOf } from "./values.js"

/** What a splitter does with what it finds in a stream. */
export interface SplitterOptions {
  readonly maxBytes: number
  /** A message was larger than `maxBytes`; it was passed over without being kept. */
  readonly onTooLarge: (bytes: number) => void
  /** The stream holds something that is no message; nothing more can be read from it. */
  readonly onGarbage: (reason: string) => void
}

/**
 * Reads the output of a server for `vscode-jsonrpc`, whose own reader keeps whatever a header announces. Hands on one
 * message a turn of the event loop, because the connection handles one a turn: a server that floods waits (backpressure)
 * instead of filling a queue.
 */
export class BoundedReader extends AbstractMessageReader implements MessageReader {
  private readonly output: Readable
  private readonly splitter: MessageSplitter
  private callback: DataCallback | undefined

  constructor(output: Readable, options: SplitterOptions) {
    super()
    this.output = output
    this.splitter = new MessageSplitter(options)
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback
    this.read().catch((error: unknown) => this.fireError(error))
    return { dispose: () => this.dispose() }
  }

  /** Hands on a message as if the server had sent it. */
  inject(message: Message): void {
    this.callback?.(message)
  }

  override dispose(): void {
    this.callback = undefined
    super.dispose()
  }

  private async read(): Promise<void> {
    for await (const chunk of this.output as AsyncIterable<Buffer>) {
      for (const value of this.splitter.push(chunk)) {
        const message = wellFormed(value)
        if (!message) continue
        this.callback?.(message)
        await nextTurn()
      }
    }
  }
}

/**
 * A message that the connection can handle, or undefined for what is none. Some servers leave out a result that is null.
 * Nothing that a server asks of us takes long enough to be called off.
 */
function wellFormed(value: unknown): (Message & Readonly<Record<string, unknown>>) | undefined {
  const { id, method, params, result, error } = recordOf(value) ?? {}
  const jsonrpc = "2.0"
  if (typeof method !== "string") {
    if (typeof id !== "number") return undefined
    return { jsonrpc, id, ...(error ? { error: recordOf(error) ?? {} } : { result: result ?? null }) }
  }
  if (method === "$/cancelRequest") return undefined
  if (id === undefined || id === null) return { jsonrpc, method, params }
  return typeof id === "number" || typeof id === "string" ? { jsonrpc, id, method, params } : undefined
}

/** Writes messages to the input of a server, and says when too many of them wait to be read. */
export class BoundedWriter extends AbstractMessageWriter implements MessageWriter {
  private readonly input: Writable
  private readonly limit: { readonly maxUnreadBytes: number; readonly onUnread: () => void }

  constructor(input: Writable, limit: BoundedWriter["limit"]) {
    super()
    this.input = input
    this.limit = limit
  }

  async write(message: Message): Promise<void> {
    this.input.write(messageBytes(message))
    if (this.input.writableLength > this.limit.maxUnreadBytes) this.limit.onUnread()
  }

  end(): void {
    this.input.end()
  }
}

/** A message with its header, ready to be written. */
export function messageBytes(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8")
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body])
}

// A header has two short fields; what is longer is none.
const maxHeaderBytes = 8192

type State =
  | { readonly at: "header" }
  | { readonly at: "body"; readonly length: number }
  | { readonly at: "passing"; left: number }
  | { readonly at: "lost" }

/** Takes messages with `Content-Length` headers out of a stream, however it is cut into chunks. */
export class MessageSplitter {
  private readonly options: SplitterOptions
  private state: State = { at: "header" }
  private chunks: Buffer[] = []
  private size = 0

  constructor(options: SplitterOptions) {
    this.options = options
  }

  /** The messages that are whole with this chunk. */
  *push(chunk: Uint8Array): Generator<unknown, void> {
    if (this.state.at === "lost") return
    if (chunk.length > 0) this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this.size += chunk.length
    for (;;) {
      if (this.state.at === "body") {
        if (this.size < this.state.length) return
        const body = this.take(this.state.length)
        this.state = { at: "header" }
        const message = this.parse(body)
        if (message === undefined) return
        yield message.value
      } else if (!(this.state.at === "passing" ? this.pass(this.state) : this.readHeader())) return
    }
  }

  /** Drops bytes of a message that is too large; false when more of them are to come. */
  private pass(state: { left: number }): boolean {
    const passed = Math.min(this.size, state.left)
    this.take(passed)
    state.left -= passed
    if (state.left > 0) return false
    this.state = { at: "header" }
    return true
  }

  private readHeader(): boolean {
    if (this.state.at === "lost") return false
    const head = this.join()
    const end = endOfHeader(head)
    if (end === undefined) {
      return head.length > maxHeaderBytes ? this.lose("its output does not begin with a message header") : false
    }
    const length = contentLength(head.subarray(0, end).toString("latin1"))
    if (length === undefined) return this.lose("a message header names no length")
    this.take(end)
    if (length <= this.options.maxBytes) this.state = { at: "body", length }
    else {
      this.state = { at: "passing", left: length }
      this.options.onTooLarge(length)
    }
    return true
  }

  private parse(body: Buffer): { readonly value: unknown } | undefined {
    try {
      return { value: JSON.parse(body.toString("utf8")) }
    } catch {
      this.lose("a message is not JSON")
      return undefined
    }
  }

  private lose(reason: string): false {
    this.state = { at: "lost" }
    this.chunks = []
    this.size = 0
    this.options.onGarbage(reason)
    return false
  }

  /** Everything kept as one buffer. Bodies that are still incomplete are not joined, so a large one is copied once. */
  private join(): Buffer {
    const whole = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
    this.chunks = whole.length > 0 ? [whole] : []
    return whole
  }

  private take(count: number): Buffer {
    const whole = this.join()
    const rest = whole.subarray(count)
    this.chunks = rest.length > 0 ? [rest] : []
    this.size = rest.length
    return whole.subarray(0, count)
  }
}

/** Where the empty line after a header ends; some servers write it without carriage returns. */
function endOfHeader(head: Buffer): number | undefined {
  const strict = head.indexOf("\r\n\r\n")
  const plain = head.indexOf("\n\n")
  if (strict >= 0 && (plain < 0 || strict < plain)) return strict + 4
  return plain >= 0 ? plain + 2 : undefined
}

/** The length that a header names. Lines before it that are no fields come from programs that print to their output. */
function contentLength(header: string): number | undefined {
  const digits = /^content-length:[ \t]*(\d{1,15})[ \t]*\r?$/im.exec(header)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
