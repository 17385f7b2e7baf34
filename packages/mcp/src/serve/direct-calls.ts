import { bestEffort } from "@haft/contract"
import type { CallToolResult, JSONRPCMessage, RequestId, Server } from "@modelcontextprotocol/server"
import type { ServedTool, ServeHost } from "./host.js"
import type { OpenCall } from "./open-call.js"
import { tellProgress } from "./progress.js"
import { canAsk } from "./protocol-server.js"
import type { ServedSession } from "./served-session.js"

/** A request to call a tool that says nothing else. */
export interface PlainCall {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly method: "tools/call"
  readonly params: {
    readonly name: string
    readonly arguments?: Record<string, unknown>
    readonly _meta?: { readonly progressToken?: string | number }
  }
}

/**
 * Answers the calls of a client that made the handshake of the revisions before 2026, without the SDK, which checks every message
 * several times (bench row "mcp-round-trip"; docs/decisions/052-calls-without-the-sdk.md). What is not as simple as that goes to
 * the SDK, also a call of ours once it has something to ask.
 */
export class DirectCalls {
  private server: Server | undefined
  private tools: ReadonlyMap<string, ServedTool> = new Map()
  private readonly underWay = new Map<RequestId, OpenCall>()
  private readonly asking = new Map<RequestId, OpenCall>()

  constructor(
    private readonly host: ServeHost,
    private readonly session: ServedSession,
    private readonly wire: {
      send(message: JSONRPCMessage): Promise<void>
      /** Where the SDK listens. */
      onmessage?: (message: JSONRPCMessage) => void
    },
  ) {}

  /** The handshake is over: from now on calls need nothing else. */
  async open(server: Server): Promise<void> {
    if (server.getNegotiatedProtocolVersion() === undefined) return
    const tools = await bestEffort("the SDK says what is wrong with the tools", this.host.tools())
    if (tools === undefined) return
    this.tools = new Map(tools.map((tool) => [tool.definition.name, tool]))
    this.server = server
  }

  /** False when the SDK must answer. */
  take(request: PlainCall): boolean {
    const { name, arguments: input = {}, _meta } = request.params
    const tool = this.tools.get(name)
    if (tool === undefined || this.server === undefined) return false
    const hasPerson = this.host.mayAsk && canAsk(this.server.getClientCapabilities() ?? {})
    const call = this.session.start({ tool, input, hasPerson })
    this.underWay.set(request.id, call)
    const endProgress = tellProgress(call, _meta?.progressToken, (params) =>
      this.wire.send({ jsonrpc: "2.0", method: "notifications/progress", params }),
    )
    call.onStep((step) => {
      this.underWay.delete(request.id)
      endProgress()
      if (call.signal.aborted) return
      if (step.at === "ended") void this.answer(request.id, step.result)
      else this.handOver(request, call)
    })
    return true
  }

  /** Ends the call of a request that its client does not wait for any more. */
  cancel(id: RequestId): void {
    this.underWay.get(id)?.abort()
    this.underWay.delete(id)
  }

  /** The call that was started for this request before the SDK got it. */
  started(id: RequestId): OpenCall | undefined {
    const call = this.asking.get(id)
    this.asking.delete(id)
    return call
  }

  private answer(id: RequestId, result: CallToolResult): Promise<void> {
    return this.wire.send({ jsonrpc: "2.0", id, result })
  }

  private handOver(request: PlainCall, call: OpenCall): void {
    this.asking.set(request.id, call)
    this.wire.onmessage?.(request)
  }
}

/** The message, if it is a call in the shape that needs no schema to be checked. */
export function plainCall(message: unknown): PlainCall | undefined {
  if (!isObject(message) || message.method !== "tools/call" || message.jsonrpc !== "2.0") return undefined
  const { id, params } = message
  if (!isToken(id) || !isObject(params) || Object.keys(message).length !== 4) return undefined
  let known = 1
  if (typeof params.name !== "string") return undefined
  if ("arguments" in params) {
    if (!isObject(params.arguments)) return undefined
    known += 1
  }
  if ("_meta" in params) {
    if (!isPlainMeta(params._meta)) return undefined
    known += 1
  }
  return Object.keys(params).length === known ? (message as unknown as PlainCall) : undefined
}

/** What the protocol itself says in `_meta`, besides the token for progress, is read by the SDK. */
function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta)) return false
  if ("progressToken" in meta && !isToken(meta.progressToken)) return false
  return !Object.keys(meta).some((key) => key.startsWith("io.modelcontextprotocol/"))
}

function isToken(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
