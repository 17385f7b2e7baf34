import { afterEach, beforeEach, expect, test } from "vitest"
import { type ProviderApi, type ProviderServer, startProviderServer } from "./provider-server.js"

let server: ProviderServer
beforeEach(async () => {
  server = await startProviderServer({ replies: () => ({ text: "fine" }) })
})
afterEach(() => server.close())

const paths: Readonly<Record<ProviderApi, string>> = {
  anthropic: "/messages",
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
  gemini: "/models/gemini-test:streamGenerateContent?alt=sse",
}

async function post(api: ProviderApi, body: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.baseUrl(api)}${paths[api]}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

const user = { role: "user", content: "hello" }
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
const anthropic = (messages: unknown[], tools: unknown[] = []) => ({ model: "m", max_tokens: 9, messages, tools })
const called = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "x", input: {} }] }
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] }
const chat = (messages: unknown[], tools?: unknown[]) => ({ model: "m", messages, ...(tools ? { tools } : {}) })
const chatTool = (parameters: unknown, strict = false, name = "x") => ({
  type: "function",
  function: { name, parameters, strict },
})
const chatCall = {
  role: "assistant",
  tool_calls: [{ id: "c1", type: "function", function: { name: "x", arguments: "{}" } }],
}
const image = (media_type: string, data: string) => ({ type: "image", source: { type: "base64", media_type, data } })
const gemini = (contents: unknown[], parameters?: unknown) => ({
  contents,
  ...(parameters ? { tools: [{ functionDeclarations: [{ name: "x", parameters }] }] } : {}),
})
const says = { role: "user", parts: [{ text: "hello" }] }
const geminiCall = { role: "model", parts: [{ functionCall: { name: "x", args: {} } }] }
const geminiResult = { role: "user", parts: [{ functionResponse: { name: "x", response: {} } }] }

// biome-ignore format: one line for each
test.each<[ProviderApi, string, unknown, string | undefined]>([
  ["anthropic", "a plain request", anthropic([user]), undefined],
  ["anthropic", "a call with its result", anthropic([user, called, result]), undefined],
  ["anthropic", "a call without its result", anthropic([user, called]), "`tool_use` ids were found without `tool_result` blocks immediately after: t1"],
  ["anthropic", "a result too late", anthropic([user, called, user, result]), "without `tool_result` blocks"],
  ["anthropic", "a result without its call", anthropic([user, result]), "unexpected `tool_use_id` found in `tool_result` blocks: t1"],
  ["anthropic", "a first message of the assistant", anthropic([called, result]), "first message must use the \\\"user\\\" role"],
  ["anthropic", "an empty text", anthropic([{ role: "user", content: [{ type: "text", text: "" }] }]), "text content blocks must be non-empty"],
  ["anthropic", "a signature that was never given", anthropic([user, { role: "assistant", content: [{ type: "thinking", thinking: "a", signature: "b" }] }]), "Invalid `signature`"],
  ["anthropic", "an image", anthropic([{ role: "user", content: [image("image/png", "iVBORw0KGgoA")] }]), undefined],
  ["anthropic", "a drawing", anthropic([{ role: "user", content: [image("image/svg+xml", "PHN2Zy8+")] }]), "media_type: Input should be"],
  ["anthropic", "a broken image in a result", anthropic([user, called, { role: "user", content: [{ ...result.content[0], content: [image("image/png", "PHN2Zy8+")] }] }]), "Could not process image"],
  ["anthropic", "a long tool name", anthropic([user], [{ name: "x".repeat(65), input_schema: schema }]), "String should match pattern"],
  ["anthropic", "a tool twice", anthropic([user], [{ name: "x", input_schema: schema }, { name: "x", input_schema: schema }]), "Tool names must be unique"],
  ["anthropic", "a union at the top", anthropic([user], [{ name: "x", input_schema: { type: "object", anyOf: [schema] } }]), "does not support oneOf, allOf, or anyOf at the top level"],
  ["openai-chat", "a plain request", chat([user], [chatTool(schema)]), undefined],
  ["openai-chat", "a call without its result", chat([user, chatCall, user]), "did not have response messages: c1"],
  ["openai-chat", "a result without its call", chat([user, { role: "tool", tool_call_id: "c1", content: "" }]), "must be a response to a preceeding message"],
  ["openai-chat", "a dot in a tool name", chat([user], [chatTool(schema, false, "a.b")]), "does not match pattern"],
  ["openai-chat", "a list without items", chat([user], [chatTool({ type: "object", properties: { a: { type: "array" } } })]), "In context=('properties', 'a'), array schema missing items"],
  ["openai-chat", "strict with more properties", chat([user], [chatTool(schema, true)]), "'additionalProperties' is required to be supplied and to be false"],
  ["openai-chat", "strict with an optional", chat([user], [chatTool({ type: "object", properties: { a: { type: "string" } }, required: [], additionalProperties: false }, true)]), "Missing 'a'"],
  ["openai-chat", "strict with an unknown keyword", chat([user], [chatTool({ ...schema, additionalProperties: false, minProperties: 1 }, true)]), "'minProperties' is not permitted"],
  ["openai-responses", "a call without its result", { model: "m", input: [{ type: "function_call", call_id: "c1", name: "x", arguments: "{}" }] }, "No tool output found for function call c1"],
  ["openai-responses", "an item that was not kept", { model: "m", store: false, input: [{ type: "item_reference", id: "rs_1" }] }, "Items are not persisted"],
  ["openai-responses", "reasoning alone", { model: "m", input: [{ type: "reasoning", id: "rs_1", encrypted_content: "made up" }] }, "could not be verified"],
  ["gemini", "a plain request", gemini([says], schema), undefined],
  ["gemini", "a call with its result", gemini([says, geminiCall, geminiResult]), undefined],
  ["gemini", "a call without its result", gemini([says, geminiCall, says]), "number of function response parts is equal"],
  ["gemini", "additionalProperties", gemini([says], { ...schema, additionalProperties: false }), 'Unknown name \\"additionalProperties\\"'],
  ["gemini", "a number in an enum", gemini([says], { type: "object", properties: { a: { type: "integer", enum: [1] } } }), "only allowed for STRING type"],
  ["gemini", "a format", gemini([says], { type: "object", properties: { a: { type: "string", format: "uri" } } }), "only enum, date-time are supported for STRING type"],
  ["gemini", "several types", gemini([says], { type: "object", properties: { a: { type: ["string", "null"] } } }), "cannot start list"],
])("%s: %s", async (api, _name, body, problem) => {
  const { status, text } = await post(api, body)
  expect([status, server.refusals.length]).toEqual(problem === undefined ? [200, 0] : [400, 1])
  expect(text).toContain(problem ?? "fine")
})

test("errors have the shape of their API", async () => {
  const shapes = await Promise.all(
    (["anthropic", "openai-chat", "gemini"] as const).map(async (api) => JSON.parse((await post(api, {})).text)),
  )
  expect(shapes).toMatchObject([
    { type: "error", error: { type: "invalid_request_error" } },
    { error: { type: "invalid_request_error", code: null } },
    { error: { code: 400, status: "INVALID_ARGUMENT" } },
  ])
})
