import { bestEffort, type RunningServer, ToolError } from "@haft/contract"
import { BoundedLines, RateLimiter, TooLong } from "@haft/runtime"
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client"

// As much as one result may have; a server that sends more is not held in memory.
const maxMessageBytes = 16 * 1024 * 1024
const messageLimits = { burst: 20_000, perSecond: 2000 }
const shownCharacters = 120

/** Speaks JSON-RPC with a program, one message a line. Whatever else it prints, or floods us with, ends it with the reason. */
export class StdioTransport implements Transport {
  // The client looks for these two to tell that this is a program and not an address.
  readonly stderr = null
  readonly pid = null
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Why it had to be ended; undefined when it was not, or ended by itself. */
  failure: ToolError | undefined
  private readonly lines = new BoundedLines(maxMessageBytes)
  private readonly rate = new RateLimiter(messageLimits)
  private isOver = false

  constructor(
    private readonly name: string,
    private readonly server: RunningServer,
  ) {}

  async start(): Promise<void> {
    void this.read()
    void this.server.gone.then(() => this.over())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.server.write(Buffer.from(`${JSON.stringify(message)}\n`))
  }

  async close(): Promise<void> {
    await this.server.end()
    this.over()
  }

  private over(): void {
    if (this.isOver) return
    this.isOver = true
    this.onclose?.()
  }

  private async read(): Promise<void> {
    await bestEffort("the process reports the end of the server", async () => {
      for await (const chunk of this.server.output) {
        const reason = this.accept(chunk)
        if (reason === undefined) continue
        this.failure = reason
        this.onerror?.(reason)
        await this.server.end(reason)
        return
      }
    })
  }

  /** Takes a piece of the output; the reason when nothing more can be taken. */
  private accept(chunk: Uint8Array): ToolError | undefined {
    for (const line of this.lines.take(chunk)) {
      const reason = line instanceof TooLong ? this.tooLong() : this.take(line.toString("utf8").trim())
      if (reason !== undefined) return reason
    }
    return this.lines.isTooLong ? this.tooLong() : undefined
  }

  private tooLong(): ToolError {
    return new ToolError(
      "backend",
      `Cannot use the MCP server "${this.name}": it sent a message of more than ${maxMessageBytes} bytes`,
      { hint: "Ask it for less, or go on without it" },
    )
  }

  private take(line: string): ToolError | undefined {
    if (line === "") return undefined
    if (!this.rate.take()) {
      return this.broken(`floods: it sent more than ${messageLimits.perSecond} messages a second`)
    }
    const messages = messagesIn(line)
    if (messages === undefined) {
      const shown = line.length > shownCharacters ? `${line.slice(0, shownCharacters)}...` : line
      return this.broken(
        `printed ${JSON.stringify(shown)} to its standard output, which is for messages of the protocol alone`,
      )
    }
    for (const message of messages) this.onmessage?.(message)
    return undefined
  }

  private broken(reason: string): ToolError {
    return new ToolError("backend", `Cannot use the MCP server "${this.name}": it ${reason}`, {
      hint: "Go on without this server",
      fix: `Repair the server: what it prints for people belongs to its standard error; then run: haft mcp test ${this.name}`,
    })
  }
}

/** The messages of a line: one, or a list of them as one revision of the protocol allowed. */
function messagesIn(line: string): readonly JSONRPCMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return (Array.isArray(value) ? value : [value]).map((each) => parseJSONRPCMessage(each))
  } catch {
    return undefined
  }
}
