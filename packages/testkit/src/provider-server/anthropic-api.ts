import { anthropicSchemaProblem } from "./check-schema.js"
import {
  type Fields,
  fieldsOf,
  inputText,
  issue,
  listOf,
  piecesOf,
  repeated,
  sse,
  textOf,
  usageOf,
  type WireApi,
  type WireMemory,
  type WireReply,
} from "./wire-api.js"

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
}

const event = (data: { readonly type: string } & Fields) => sse(data, data.type)

/** The Messages API of Anthropic. */
export const anthropicApi: WireApi = {
  path: /\/v1\/messages$/,
  key: (headers) => textOf(headers["x-api-key"]) || textOf(headers.authorization).replace(/^Bearer /, "") || undefined,
  model: (body) => textOf(body.model),
  problem(body, memory, headers) {
    if (headers["anthropic-version"] === undefined) return "anthropic-version: header is required"
    if (!Number.isInteger(body.max_tokens)) return "max_tokens: Field required"
    return toolsProblem(listOf(body.tools)) ?? messagesProblem(listOf(body.messages), memory) ?? cacheProblem(body)
  },
  events,
  endlessEvent: () =>
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "and so on, " } }),
  errorEvent: (message) => event({ type: "error", error: { type: "overloaded_error", message } }),
  errorBody: (status, message) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message },
    request_id: "req_test",
  }),
}

function toolsProblem(tools: readonly Fields[]): string | undefined {
  for (const [index, tool] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(tool.name)))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`
    const problem = anthropicSchemaProblem(tool.input_schema)
    if (problem !== undefined) return `tools.${index}.custom.input_schema: ${problem}`
  }
  return repeated(tools.map(({ name }) => textOf(name))) === undefined ? undefined : "tools: Tool names must be unique."
}

function messagesProblem(messages: readonly Fields[], memory: WireMemory): string | undefined {
  if (messages.length === 0) return "messages: at least one message is required"
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role'
  for (const [index, message] of messages.entries()) {
    if (message.role !== "user" && message.role !== "assistant")
      return `messages.${index}.role: Input should be 'user' or 'assistant'`
    const problem = blocksProblem(listOf(message.content), memory) ?? pairProblem(messages, index)
    if (problem !== undefined) return `messages.${index}: ${problem}`
  }
  return undefined
}

function cacheProblem({ system, messages }: Fields): string | undefined {
  const blocks = [...listOf(system), ...listOf(messages).flatMap(({ content }) => listOf(content))]
  const found = blocks.filter((block) => block.cache_control !== undefined).length
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : undefined
}

function blocksProblem(blocks: readonly Fields[], { issued }: WireMemory): string | undefined {
  for (const block of blocks) {
    if (block.type === "text" && textOf(block.text) === "") return "text content blocks must be non-empty"
    if (block.type === "thinking" && !issued.has(textOf(block.signature)))
      return "Invalid `signature` in `thinking` block"
    if (block.type === "tool_use" && fieldsOf(block.input) !== block.input)
      return "tool_use.input: Input should be a valid dictionary"
    const problem =
      imageProblem(block) ??
      listOf(block.content)
        .map(imageProblem)
        .find((each) => each !== undefined)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** How the base64 of an image begins, by its type. */
const imageStarts: Readonly<Record<string, string>> = {
  "image/jpeg": "/9j/",
  "image/png": "iVBORw0KGgo",
  "image/gif": "R0lGOD",
  "image/webp": "UklGR",
}

function imageProblem({ type, source }: Fields): string | undefined {
  if (type !== "image") return undefined
  const { media_type, data } = fieldsOf(source)
  const start = imageStarts[textOf(media_type)]
  if (start === undefined)
    return "image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
  return textOf(data).startsWith(start) ? undefined : "image.source.base64: Could not process image"
}

/** Calls are answered by the message right after them, and only they. */
function pairProblem(messages: readonly Fields[], index: number): string | undefined {
  const ids = (at: number, type: string, key: string) =>
    listOf(messages[at]?.content)
      .filter((block) => block.type === type)
      .map((block) => textOf(block[key]))
  const called = ids(index, "tool_use", "id")
  const answered = ids(index + 1, "tool_result", "tool_use_id")
  const open = called.filter((id) => !answered.includes(id))
  if (open.length > 0)
    return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}`
  const before = ids(index - 1, "tool_use", "id")
  const stray = ids(index, "tool_result", "tool_use_id").filter((id) => !before.includes(id))
  return stray.length > 0
    ? `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.join(", ")}`
    : undefined
}

function events(wire: WireReply): readonly string[] {
  const { reply, model, memory } = wire
  const { input, output, cached } = usageOf(reply)
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  }
  const message = { id: `msg_${memory.replies}`, type: "message", role: "assistant", model, content: [], usage }
  const written = [event({ type: "message_start", message }), event({ type: "ping" })]
  let index = 0
  const block = (start: Fields, deltas: readonly Fields[]) => {
    written.push(event({ type: "content_block_start", index, content_block: start }))
    for (const delta of deltas) written.push(event({ type: "content_block_delta", index, delta }))
    written.push(event({ type: "content_block_stop", index }))
    index += 1
  }
  if (reply.reasoning !== undefined)
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...piecesOf(reply.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: issue(wire, "signature") },
    ])
  if (reply.text !== undefined)
    block(
      { type: "text", text: "" },
      piecesOf(reply.text).map((text) => ({ type: "text_delta", text })),
    )
  for (const [place, call] of (reply.calls ?? []).entries())
    block(
      { type: "tool_use", id: `toolu_${memory.replies}_${place}`, name: call.name, input: {} },
      piecesOf(inputText(call)).map((json) => ({ type: "input_json_delta", partial_json: json })),
    )
  const words = { stop: "end_turn", length: "max_tokens", "content-filter": "refusal" } as const
  const reason = reply.calls ? "tool_use" : words[reply.finish ?? "stop"]
  const delta = { stop_reason: reason, stop_sequence: null }
  written.push(
    event({ type: "message_delta", delta, usage: { output_tokens: output } }),
    event({ type: "message_stop" }),
  )
  return written
}
