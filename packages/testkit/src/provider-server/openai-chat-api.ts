import { openaiSchemaProblem } from "./check-schema.js"
import {
  type Fields,
  fieldsOf,
  inputText,
  listOf,
  piecesOf,
  sse,
  textOf,
  usageOf,
  type WireApi,
  type WireReply,
} from "./wire-api.js"

/** The Chat Completions API of OpenAI, which many servers copy. */
export const openaiChatApi: WireApi = {
  path: /\/v1\/chat\/completions$/,
  key: openaiKey,
  model: (body) => textOf(body.model),
  problem(body) {
    const tools = listOf(body.tools)
    for (const [index, tool] of tools.entries()) {
      const problem = functionProblem(fieldsOf(tool.function), `tools[${index}].function`)
      if (problem !== undefined) return problem
    }
    if (Array.isArray(body.tools) && tools.length === 0) return "[] is too short - 'tools'"
    return messagesProblem(listOf(body.messages))
  },
  events,
  endlessEvent: () => sse({ choices: [{ index: 0, delta: { content: "and so on, " }, finish_reason: null }] }),
  errorEvent: (message) => sse({ error: { message, type: "server_error", param: null, code: "server_error" } }),
  errorBody: openaiError,
}

export function openaiKey(headers: { readonly authorization?: string | undefined }): string | undefined {
  return textOf(headers.authorization).replace(/^Bearer /, "") || undefined
}

/** The body that both APIs of OpenAI give with an error. */
export function openaiError(status: number, message: string): unknown {
  const codes: Readonly<Record<number, readonly [string, string | null]>> = {
    401: ["invalid_request_error", "invalid_api_key"],
    404: ["invalid_request_error", "model_not_found"],
    429: ["requests", "rate_limit_exceeded"],
    500: ["server_error", null],
  }
  const [type, code] = codes[status] ?? ["invalid_request_error", null]
  const length = /maximum context length/.test(message) ? "context_length_exceeded" : code
  return { error: { message, type, param: null, code: length } }
}

/** Why OpenAI would refuse a tool. */
export function functionProblem(tool: Fields, place: string): string | undefined {
  const name = textOf(tool.name)
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return `Invalid '${place}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.`
  const problem = openaiSchemaProblem(tool.parameters, tool.strict === true)
  return problem === undefined ? undefined : `Invalid schema for function '${name}': ${problem}`
}

function messagesProblem(messages: readonly Fields[]): string | undefined {
  if (messages.length === 0) return "[] is too short - 'messages'"
  let open: string[] = []
  for (const message of messages) {
    if (!["system", "developer", "user", "assistant", "tool"].includes(textOf(message.role)))
      return `Invalid value: '${String(message.role)}' for 'messages[].role'`
    if (message.role === "tool") {
      const id = textOf(message.tool_call_id)
      if (!open.includes(id))
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      open = open.filter((each) => each !== id)
      continue
    }
    if (open.length > 0) return unanswered(open)
    const calls = listOf(message.tool_calls)
    if (calls.some((call) => typeof fieldsOf(call.function).arguments !== "string"))
      return "Invalid type for 'messages[].tool_calls[].function.arguments': expected a string"
    open = calls.map(({ id }) => textOf(id))
  }
  return open.length > 0 ? unanswered(open) : undefined
}

function unanswered(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`
}

function events({ reply, model, memory, body }: WireReply): readonly string[] {
  const base = { id: `chatcmpl-${memory.replies}`, object: "chat.completion.chunk", created: 1_700_000_000, model }
  const chunk = (delta: Fields, finish: string | null = null) =>
    sse({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
  const written = [chunk({ role: "assistant", content: "" })]
  // The field of DeepSeek and others; OpenAI itself keeps reasoning to itself here.
  for (const piece of piecesOf(reply.reasoning ?? "")) written.push(chunk({ reasoning_content: piece }))
  for (const piece of piecesOf(reply.text ?? "")) written.push(chunk({ content: piece }))
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = `call_${memory.replies}_${index}`
    const begun = { index, id, type: "function", function: { name: call.name, arguments: "" } }
    written.push(chunk({ tool_calls: [begun] }))
    for (const piece of piecesOf(inputText(call)))
      written.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
  }
  const words = { stop: "stop", length: "length", "content-filter": "content_filter" } as const
  written.push(chunk({}, reply.calls ? "tool_calls" : words[reply.finish ?? "stop"]))
  if (fieldsOf(body.stream_options).include_usage === true)
    written.push(sse({ ...base, choices: [], usage: chatUsage(reply) }))
  return [...written, "data: [DONE]\n\n"]
}

function chatUsage(reply: WireReply["reply"]): Fields {
  const { input, output, cached } = usageOf(reply)
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}
