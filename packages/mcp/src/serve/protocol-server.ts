import { ToolError } from "@haft/contract"
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type RequestStateCodec,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import type { FormAnswer } from "./forms.js"
import type { ServeHost } from "./host.js"
import { answerMs, type OpenCall } from "./open-call.js"
import { tellProgress } from "./progress.js"
import { type CallRequest, type ServedSession, toolNamed } from "./served-session.js"
import { canPoll, serveTasks, tasksExtension } from "./tasks.js"
import { failure } from "./tool-result.js"

/** What a client sends back with its answer, signed: which question of which call it is about. */
interface AnswerState {
  readonly call: string
  readonly key: string
}

/** What one server of the protocol is made from. Both revisions are served by the same handlers. */
export interface ProtocolServerOptions {
  readonly host: ServeHost
  readonly state: RequestStateCodec<AnswerState>
  /** The session that a request belongs to. */
  readonly sessionOf: (context: ServerContext) => ServedSession
  readonly onerror: (error: Error) => void
  /** The call of a request that began before the SDK got it. */
  readonly started?: (id: RequestId) => OpenCall | undefined
}

/** Signs what clients send back; the key lives as long as the process, like the calls that it names. */
export function answerStates(): RequestStateCodec<AnswerState> {
  return createRequestStateCodec<AnswerState>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: answerMs / 1000,
    bind: (context) => context.mcpReq.method,
  })
}

// The list is the same as long as the server runs; a client asks again after a restart.
const listTtlMs = 300_000

/** A server for one connection, or for one request of the revision of 2026 over HTTP. */
export function protocolServer({ host, state, sessionOf, onerror, started }: ProtocolServerOptions): Server {
  const server = new Server(
    { name: "haft", title: "Haft", version: host.version },
    {
      capabilities: { tools: {}, resources: {}, extensions: { [tasksExtension]: {} } },
      instructions: host.instructions,
      jsonSchemaValidator: noValidator,
      cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "private" } },
      requestState: { verify: state.verify },
    },
  )
  server.onerror = onerror
  const assertReady = () => {
    if (server.getNegotiatedProtocolVersion() !== undefined) return
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Cannot serve this request before initialize")
  }
  server.setRequestHandler("tools/list", async () => {
    assertReady()
    return { tools: (await host.tools()).map(({ definition }) => definition) }
  })
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const begun = started?.(context.mcpReq.id)
    if (begun) return answered(begun, context, state)
    assertReady()
    const tools = await host.tools()
    const capabilities = capabilitiesOf(server, context)
    const tool = knownTool(() => toolNamed(tools, params.name))
    const hasPerson = host.mayAsk && canAsk(capabilities)
    const polls = tool.isLong && canPoll(capabilities, context)
    const request = { tool, input: params.arguments ?? {}, hasPerson }
    const session = sessionOf(context)
    const call = callFor(session, request, context)
    const task = polls && call && (await session.tasks.offer(call, context.mcpReq.signal))
    return task || answered(call, context, state)
  })
  server.setRequestHandler("resources/list", (_request, context) => {
    assertReady()
    return { resources: sessionOf(context).resources() }
  })
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }))
  server.setRequestHandler("resources/read", async ({ params }, context) => {
    assertReady()
    const found = await sessionOf(context).read(params.uri)
    if (found) return found
    throw new ResourceNotFoundError(params.uri)
  })
  serveTasks(server, (context) => sessionOf(context).tasks)
  return server
}

/** The call that a request starts, or the one that it brings an answer for. */
function callFor(session: ServedSession, request: CallRequest, context: ServerContext): OpenCall | undefined {
  const answered = context.mcpReq.requestState<AnswerState>()
  if (answered === undefined) return session.start(request)
  const call = session.find(answered.call, request)
  const response = inputResponse(context.mcpReq.inputResponses, answered.key)
  // A request without an answer is asked the same again.
  if (response.kind === "elicit" && !call?.answer(answered.key, response)) return undefined
  return call
}

/** The result of a call, or what its client must ask first. */
async function answered(
  call: OpenCall | undefined,
  context: ServerContext,
  state: RequestStateCodec<AnswerState>,
): Promise<CallToolResult | InputRequiredResult> {
  if (call === undefined)
    return failure("Cannot use the answer: the question is not open any more\nCall the tool again")
  const { mcpReq, http } = context
  const leave = [
    call.follow(mcpReq.signal),
    // Without a stream nobody would get the result.
    ...(http?.req ? [call.follow(http.req.signal)] : []),
    tellProgress(call, mcpReq._meta?.progressToken, (params) =>
      mcpReq.notify({ method: "notifications/progress", params }),
    ),
  ]
  try {
    for (;;) {
      const step = await call.next()
      if (step.at === "ended") return step.result
      const { key, form } = step.question
      if (mcpReq.envelope !== undefined) {
        const requestState = await state.mint({ call: call.id, key }, context)
        return inputRequired({ inputRequests: { [key]: inputRequired.elicit(form) }, requestState })
      }
      call.answer(key, await elicited(call, form, context))
    }
  } finally {
    for (const end of leave) end()
  }
}

/** Before the revision of 2026 the request stays open while the person is asked. A client that answers with an error has no answer. */
async function elicited(call: OpenCall, form: ElicitRequestFormParams, { mcpReq }: ServerContext): Promise<FormAnswer> {
  const over = new AbortController()
  const stop = () => over.abort()
  call.signal.addEventListener("abort", stop)
  if (call.signal.aborted) stop()
  try {
    const options = { timeout: answerMs, signal: over.signal }
    return await mcpReq.send({ method: "elicitation/create", params: form }, options)
  } catch {
    return { action: "cancel" }
  } finally {
    call.signal.removeEventListener("abort", stop)
  }
}

/** The client's own request says what it can do in the revision of 2026; before, its handshake did. */
function capabilitiesOf(server: Server, { mcpReq: { envelope } }: ServerContext): ClientCapabilities {
  const own = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
  return (own as ClientCapabilities | undefined) ?? server.getClientCapabilities() ?? {}
}

/** Before modes had names, a client that can be asked could fill in forms. */
export function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** An unknown tool is an error of the protocol and no result of a tool. */
function knownTool<Value>(find: () => Value): Value {
  try {
    return find()
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, [error.message, error.hint].filter(Boolean).join(". "))
  }
}

/** Answers to forms are read one by one; arguments are checked by the tools. */
const noValidator = {
  getValidator(): never {
    throw new TypeError("Cannot compile a schema: nothing here is validated by schemas of the protocol")
  },
}
