import { ToolError } from "@haft/contract"
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client"

/** Streamable HTTP, where a stream that ends without the answer is one: its call would wait for nothing otherwise. */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(
    private readonly name: string,
    ...rest: ConstructorParameters<typeof StreamableHTTPClientTransport>
  ) {
    super(...rest)
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: TransportSendOptions = {}): Promise<void> {
    if (options.onRequestStreamEnd || Array.isArray(message) || !("id" in message) || !("method" in message)) {
      return super.send(message, options)
    }
    const { id } = message
    // The client passes over an answer to a request that has one.
    const onRequestStreamEnd = () =>
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32000, message: cut, data: { cause: this.cutOff() } } })
    return super.send(message, { ...options, onRequestStreamEnd })
  }

  private cutOff(): ToolError {
    return new ToolError("unavailable", `Cannot use the MCP server "${this.name}": ${cut}`, {
      hint: "Go on without it, or try again later",
    })
  }
}

const cut = "it closed the connection without an answer"
