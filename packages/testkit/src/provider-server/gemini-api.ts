import { geminiSchemaProblem } from "./check-schema.js"
import {
  type Fields,
  fieldsOf,
  issue,
  listOf,
  piecesOf,
  sse,
  textOf,
  usageOf,
  type WireApi,
  type WireMemory,
  type WireReply,
} from "./wire-api.js"

/** The generateContent API of Gemini, streaming. */
export const geminiApi: WireApi = {
  path: /\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  key: (headers) => textOf(headers["x-goog-api-key"]) || undefined,
  model: (_body, path) => /models\/([^/]+):/.exec(path)?.[1] ?? "",
  problem(body, memory) {
    for (const [index, tool] of listOf(body.tools).entries())
      for (const [place, declaration] of listOf(tool.functionDeclarations).entries()) {
        const problem = declarationProblem(declaration)
        if (problem !== undefined) return problem.replace("PLACE", `tools[${index}].function_declarations[${place}]`)
      }
    return contentsProblem(listOf(body.contents), memory)
  },
  events,
  endlessEvent: () => sse({ candidates: [{ content: { role: "model", parts: [{ text: "and so on, " }] }, index: 0 }] }),
  errorEvent: (message) => sse({ error: { code: 503, message, status: "UNAVAILABLE" } }),
  errorBody(status, message) {
    const words: Readonly<Record<number, string>> = {
      400: "INVALID_ARGUMENT",
      404: "NOT_FOUND",
      429: "RESOURCE_EXHAUSTED",
      500: "INTERNAL",
      503: "UNAVAILABLE",
    }
    // A wrong key is an invalid argument here.
    const code = status === 401 ? 400 : status
    const details =
      status === 401 ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }] : []
    return { error: { code, message, status: words[code] ?? "UNKNOWN", details } }
  },
}

function declarationProblem(declaration: Fields): string | undefined {
  const name = textOf(declaration.name)
  if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))
    return `Invalid function name "${name}" at 'PLACE.name': must start with a letter or an underscore and have at most 64 characters`
  const problem = declaration.parameters === undefined ? undefined : geminiSchemaProblem(declaration.parameters)
  return problem === undefined ? undefined : `${problem.message} at 'PLACE.parameters${problem.place}'`
}

function contentsProblem(contents: readonly Fields[], { issued }: WireMemory): string | undefined {
  if (contents.length === 0) return "GenerateContentRequest.contents: contents is not specified"
  for (const [index, content] of contents.entries()) {
    if (content.role !== "user" && content.role !== "model") return "Please use a valid role: user, model."
    const parts = listOf(content.parts)
    const calls = parts.filter((part) => part.functionCall !== undefined)
    const answers = listOf(contents[index + 1]?.parts).filter((part) => part.functionResponse !== undefined)
    if (calls.length > 0 && calls.length !== answers.length)
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
    if (calls.length > 0 && contents[index - 1]?.role !== "user")
      return "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    const before = listOf(contents[index - 1]?.parts).some((part) => part.functionCall !== undefined)
    if (parts.some((part) => part.functionResponse !== undefined) && !before)
      return "Please ensure that function response turn comes immediately after a function call turn."
    // The first call of a turn carries the signature.
    if (calls.length > 0 && issued.size > 0 && !issued.has(textOf(calls[0]?.thoughtSignature)))
      return `Function call is missing a thought_signature in functionCall parts: ${textOf(fieldsOf(calls[0]?.functionCall).name)}`
  }
  return undefined
}

function events(wire: WireReply): readonly string[] {
  const { reply, model, memory } = wire
  const { input, output, cached } = usageOf(reply)
  const usageMetadata = {
    promptTokenCount: input + cached,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    totalTokenCount: input + cached + output,
  }
  const base = { modelVersion: model, responseId: `r${memory.replies}` }
  const chunk = (parts: readonly Fields[], more: Fields = {}) =>
    sse({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], usageMetadata, ...base })
  const written: string[] = []
  for (const text of piecesOf(reply.reasoning ?? "")) written.push(chunk([{ text, thought: true }]))
  for (const text of piecesOf(reply.text ?? "")) written.push(chunk([{ text }]))
  // Gemini sends the arguments of a call whole, and all calls of a step in one event.
  const calls = (reply.calls ?? []).map(({ name, args }, index) => ({
    functionCall: { name, args: args ?? {} },
    ...(index === 0 ? { thoughtSignature: issue(wire, "thought") } : {}),
  }))
  if (calls.length > 0) written.push(chunk(calls))
  const words = { stop: "STOP", length: "MAX_TOKENS", "content-filter": "SAFETY" } as const
  return [...written, chunk([{ text: "" }], { finishReason: words[reply.finish ?? "stop"] })]
}
