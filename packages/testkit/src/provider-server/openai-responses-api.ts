import { functionProblem, openaiError, openaiKey } from "./openai-chat-api.js"
import {
  type Fields,
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

/** The Responses API of OpenAI. */
export const openaiResponsesApi: WireApi = {
  path: /\/v1\/responses$/,
  key: openaiKey,
  model: (body) => textOf(body.model),
  problem(body, memory) {
    const tools = listOf(body.tools)
    for (const [index, tool] of tools.entries()) {
      const problem = functionProblem(tool, `tools[${index}]`)
      if (problem !== undefined) return problem
    }
    if (repeated(tools.map(({ name }) => textOf(name))) !== undefined) return "Tool names must be unique"
    return inputProblem(listOf(body.input), body.store !== false, memory)
  },
  events,
  endlessEvent: () =>
    event({
      type: "response.output_text.delta",
      item_id: "msg_endless",
      output_index: 0,
      content_index: 0,
      delta: "and so on, ",
    }),
  errorEvent: (message) =>
    event({
      type: "error",
      sequence_number: 9,
      error: { type: "server_error", code: "server_error", message, param: null },
    }),
  errorBody: openaiError,
}

function inputProblem(items: readonly Fields[], stored: boolean, { issued }: WireMemory): string | undefined {
  if (items.length === 0) return "Missing required parameter: 'input'."
  const ids = (type: string) => items.filter((item) => item.type === type).map((item) => textOf(item.call_id))
  const called = ids("function_call")
  const answered = ids("function_call_output")
  for (const id of called) if (!answered.includes(id)) return `No tool output found for function call ${id}.`
  for (const id of answered)
    if (!called.includes(id)) return `No tool call found for function call output with call_id ${id}.`
  for (const [index, item] of items.entries()) {
    if (item.type === "item_reference" && !stored)
      return `Item with id '${textOf(item.id)}' not found. Items are not persisted when \`store\` is set to false.`
    if (item.type !== "reasoning") continue
    if (!issued.has(textOf(item.encrypted_content)))
      return `Item '${textOf(item.id)}' of type 'reasoning' could not be verified.`
    const next = items[index + 1]
    if (next === undefined || !["message", "function_call", "reasoning"].includes(textOf(next.type ?? "message")))
      return `Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`
  }
  return undefined
}

const event = (data: { readonly type: string } & Fields) => sse(data, data.type)

function events(wire: WireReply): readonly string[] {
  const { reply, model, memory } = wire
  const id = `resp_${memory.replies}`
  const head = { id, object: "response", created_at: 1_700_000_000, model, status: "in_progress", output: [] }
  const written = [
    event({ type: "response.created", response: head }),
    event({ type: "response.in_progress", response: head }),
  ]
  const output: Fields[] = []
  let place = 0
  const item = (added: Fields, inner: readonly Fields[], done: Fields) => {
    written.push(event({ type: "response.output_item.added", output_index: place, item: added }))
    for (const each of inner) written.push(event({ type: "", output_index: place, item_id: added.id, ...each }))
    written.push(event({ type: "response.output_item.done", output_index: place, item: { ...added, ...done } }))
    output.push({ ...added, ...done })
    place += 1
  }
  if (reply.reasoning !== undefined) reasoningItem(wire, item)
  if (reply.text !== undefined) {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }]
    const added = {
      type: "message",
      id: `msg_${memory.replies}`,
      role: "assistant",
      status: "in_progress",
      content: [],
    }
    const deltas = piecesOf(reply.text).map((delta) => ({
      type: "response.output_text.delta",
      content_index: 0,
      delta,
    }))
    const [whole] = content
    const part = { type: "response.content_part.added", content_index: 0, part: { ...whole, text: "" } }
    const end = { type: "response.content_part.done", content_index: 0, part: whole }
    item(added, [part, ...deltas, end], { status: "completed", content })
  }
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const key = `${memory.replies}_${index}`
    const text = inputText(call)
    const added = { type: "function_call", id: `fc_${key}`, call_id: `call_${key}`, name: call.name, arguments: "" }
    const deltas = piecesOf(text).map((delta) => ({ type: "response.function_call_arguments.delta", delta }))
    const end = { type: "response.function_call_arguments.done", arguments: text }
    item(added, [...deltas, end], { arguments: text, status: "completed" })
  }
  return [...written, lastEvent(wire, { ...head, output })]
}

function reasoningItem(wire: WireReply, item: (added: Fields, inner: readonly Fields[], done: Fields) => void): void {
  const text = wire.reply.reasoning ?? ""
  const include = Array.isArray(wire.body.include) ? wire.body.include : []
  const encrypted_content = include.includes("reasoning.encrypted_content") ? issue(wire, "reasoning") : null
  const deltas = piecesOf(text).map((delta) => ({
    type: "response.reasoning_summary_text.delta",
    summary_index: 0,
    delta,
  }))
  const part = { summary_index: 0, part: { type: "summary_text", text: "" } }
  item(
    { type: "reasoning", id: `rs_${wire.memory.replies}`, summary: [] },
    [
      { type: "response.reasoning_summary_part.added", ...part },
      ...deltas,
      { type: "response.reasoning_summary_part.done", ...part },
    ],
    { encrypted_content, summary: [{ type: "summary_text", text }] },
  )
}

function lastEvent({ reply }: WireReply, head: Fields): string {
  const { input, output, cached } = usageOf(reply)
  const usage = {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cached + output,
  }
  if (reply.finish === undefined || reply.finish === "stop")
    return event({ type: "response.completed", response: { ...head, status: "completed", usage } })
  const reason = reply.finish === "length" ? "max_output_tokens" : "content_filter"
  const response = { ...head, status: "incomplete", incomplete_details: { reason }, usage }
  return event({ type: "response.incomplete", response })
}
