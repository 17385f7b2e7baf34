import { type Network, ToolError } from "@haft/contract"
import type { FetchLike } from "@modelcontextprotocol/client"

// As much as one answer, or one event of a stream, may have.
const maxBytes = 16 * 1024 * 1024

/** The way to an address, through the network of the call that uses it: hosts and addresses are judged there (SSRF). */
export class HttpFetch {
  /** Every host that was asked, as `host:port`. */
  readonly visited = new Set<string>()
  /** Called when the server does not know the session of the protocol any more, for instance after it was started anew. */
  onSessionLost: () => void = () => undefined
  private readonly ending = new AbortController()

  constructor(
    private readonly name: string,
    /** Of the newest call: a stream may outlive the one that opened it. */
    public network: Network,
  ) {}

  /** Ends all that is open. */
  close(): void {
    this.ending.abort()
  }

  readonly fetch: FetchLike = async (input, init = {}) => {
    const url = new URL(input)
    this.visited.add(`${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`)
    const headers = Object.fromEntries(new Headers(init.headers as Headers | Record<string, string> | undefined))
    const signals = [this.ending.signal, ...(init.signal ? [init.signal] : [])]
    const answer = await this.network.open({
      url: url.href,
      method: (init.method ?? "GET").toUpperCase(),
      headers: { "accept-encoding": "identity", ...headers },
      ...(init.body === undefined || init.body === null ? {} : { body: bodyText(init.body) }),
      signal: AbortSignal.any(signals),
    })
    // To a GET it only says that there is no stream: that is optional.
    const isMessage = init.method?.toUpperCase() === "POST" && headers["mcp-session-id"] !== undefined
    if (answer.status === 404 && isMessage) this.onSessionLost()
    const { "content-encoding": _, "content-length": __, ...kept } = answer.headers
    const isEvents = /^text\/event-stream\b/i.test(kept["content-type"] ?? "")
    const isBare = answer.status === 204 || answer.status === 205 || answer.status === 304
    const body = isBare ? null : streamOf(this.bounded(answer.body, isEvents))
    if (isBare) await answer.body[Symbol.asyncIterator]().return?.()
    return new Response(body, { status: answer.status, statusText: answer.statusText, headers: kept })
  }

  /** Neither an answer nor one event may grow without end: the parser of events holds what has no end yet. */
  private async *bounded(body: AsyncIterable<Uint8Array>, isEvents: boolean): AsyncGenerator<Uint8Array, void> {
    let bytes = 0
    for await (const piece of body) {
      const end = isEvents ? endOfEvent(piece) : -1
      bytes = end === -1 ? bytes + piece.length : piece.length - end
      if (bytes > maxBytes) {
        throw new ToolError(
          "too_large",
          `Cannot use the MCP server "${this.name}": it sent more than ${maxBytes} bytes in one answer`,
        )
      }
      yield piece
    }
  }
}

/** Behind the last empty line of a piece; -1 without one. An end that falls between two pieces is found with the next. */
function endOfEvent(piece: Uint8Array): number {
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
  return Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n"))
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

function bodyText(body: unknown): string {
  if (typeof body === "string") return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new ToolError("internal", "Cannot send a body to an MCP server: it is no text")
}
