import { bestEffort, nearestNames, ToolError, type UserMessage } from "@haft/contract"
import { hashOf } from "@haft/runtime"
import type { CallToolResult, ReadResourceResult, Resource } from "@modelcontextprotocol/server"
import type { HostSession, ServedTool, ServeHost } from "./host.js"
import { OpenCall } from "./open-call.js"
import { Tasks } from "./tasks.js"
import { callToolResult, failure } from "./tool-result.js"

/** What a request says about the call that it makes. */
export interface CallRequest {
  readonly tool: ServedTool
  readonly input: unknown
  /** Whether the person at the client can be asked. */
  readonly hasPerson: boolean
}

// More than any client has under way; a client that floods gets an error, and the others go on.
const maxCalls = 2000
// Links to older outputs are forgotten; the files stay until the session ends.
const maxOutputs = 1000
const maxOutputBytes = 8 * 1024 * 1024

/** The session of one client: opened with its first call, ended with its connection. */
export class ServedSession {
  readonly tasks = new Tasks()
  private readonly host: ServeHost
  private opened: Promise<HostSession> | undefined
  private readonly calls = new Map<OpenCall, CallRequest>()
  private readonly outputs = new Map<string, { readonly tool: string; readonly path: string }>()
  private isClosed = false

  constructor(host: ServeHost) {
    this.host = host
  }

  /** Whether a call runs or waits for an answer. */
  get isBusy(): boolean {
    return this.calls.size > 0
  }

  /** Starts a call. The call itself reports its result, also a failure. */
  start(request: CallRequest): OpenCall {
    const call = new OpenCall((asked) => this.host.askWords(asked))
    if (this.calls.size >= maxCalls) {
      call.end(failure(`Cannot call "${request.tool.name}": ${maxCalls} calls are under way; wait for some of them`))
      return call
    }
    this.calls.set(call, request)
    void this.run(call, request).then((result) => {
      this.calls.delete(call)
      call.end(result)
    })
    return call
  }

  /** The call of that id with these arguments that still waits or works. */
  find(id: string, request: Pick<CallRequest, "tool" | "input">): OpenCall | undefined {
    for (const [call, started] of this.calls) if (call.id === id) return isSame(started, request) ? call : undefined
    return undefined
  }

  /** The outputs that were cut, oldest first. */
  resources(): Resource[] {
    return [...this.outputs].map(([uri, { tool }]) => ({
      uri,
      name: `${tool} output`,
      description: "The output of a call before it was cut",
      mimeType: "text/plain",
    }))
  }

  /** The whole of an output; undefined for an address that is none of this session's. */
  async read(uri: string): Promise<ReadResourceResult | undefined> {
    const output = this.outputs.get(uri)
    if (output === undefined) return undefined
    const { text, bytes } = await (await this.session()).readOutput(output.path, maxOutputBytes)
    const rest =
      bytes > maxOutputBytes ? `\n[cut at ${maxOutputBytes} of ${bytes} bytes; the rest is in ${output.path}]` : ""
    return { contents: [{ uri, mimeType: "text/plain", text: `${text}${rest}` }] }
  }

  /** Ends everything that runs for this client. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const call of this.calls.keys()) call.abort(gone)
    const session = this.opened && (await bestEffort("what did not open needs no close", this.opened))
    await session?.close()
  }

  private session(): Promise<HostSession> {
    if (this.isClosed) return Promise.reject(gone)
    this.opened ??= this.host.openSession().catch((error: unknown) => {
      // Tried again at the next call: a full disk may be over by then.
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  private async run(call: OpenCall, { tool, input, hasPerson }: CallRequest): Promise<CallToolResult> {
    const messages: UserMessage[] = []
    try {
      const session = await this.session()
      const ended = await session.call(tool, input, {
        signal: call.signal,
        person: hasPerson ? call : "headless",
        onEvent: (event) => {
          if (event.type === "tool-output-delta") call.output.append(event.delta)
          if (event.type === "message") messages.push(event)
        },
      })
      const { envelope } = ended.result
      return callToolResult(ended, {
        messages,
        outputUri: this.keep(session, tool, envelope.metadata),
        ...(envelope.type === "error" && { personStep: await this.host.personStep(envelope) }),
      })
    } catch (error) {
      // The session could not be opened: every failure of a call is in its envelope.
      return failure(
        ToolError.is(error) ? [error.message, error.fix ?? error.hint].filter(Boolean).join("\n") : String(error),
      )
    }
  }

  private keep(
    { id }: HostSession,
    { name }: ServedTool,
    { call_id, output_path: path }: { readonly call_id: string; readonly output_path?: string },
  ): string | undefined {
    if (path === undefined) return undefined
    const uri = `haft://session/${id}/${call_id}`
    this.outputs.set(uri, { tool: name, path })
    const [oldest] = this.outputs.keys()
    if (this.outputs.size > maxOutputs && oldest !== undefined) this.outputs.delete(oldest)
    return uri
  }
}

const gone = new ToolError("cancelled", "Cannot go on with the call: the client is gone")

/** An answer is for the tool and the arguments that were shown. */
function isSame(one: Pick<CallRequest, "tool" | "input">, other: Pick<CallRequest, "tool" | "input">): boolean {
  return one.tool === other.tool && hashOf(one.input) === hashOf(other.input)
}

/** The tool of that name; an unknown one is an error that names the nearest. */
export function toolNamed(tools: readonly ServedTool[], name: string): ServedTool {
  const tool = tools.find(({ definition }) => definition.name === name)
  if (tool) return tool
  const near = nearestNames(
    name,
    tools.map(({ definition }) => definition.name),
  )
  throw new ToolError(
    "invalid_args",
    `Unknown tool: ${name}`,
    near.length > 0 ? { hint: `Did you mean ${near.join(" or ")}?` } : {},
  )
}
