import { Readable } from "node:stream"
import type { LanguageModelV3, LanguageModelV3Message } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { machineClock } from "./clock.js"
import { streamReply } from "./stream-reply.js"

const image = { data: "aGk=", mediaType: "image/png" }
const result = (value: unknown) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", toolName: "read", output: value }],
})
const prompt = [
  { role: "system", content: "You are a test" },
  {
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { type: "file", filename: "a.png", ...image },
    ],
  },
  result({
    type: "content",
    value: [
      { type: "text", text: "An image" },
      { type: "image-data", ...image },
    ],
  }),
  result({ type: "text", value: "plain" }),
] as LanguageModelV3Message[]

/** What a model with these fields is asked. */
async function asked(fields: { readonly specificationVersion: string; readonly provider: string }): Promise<unknown[]> {
  let seen: unknown[] = []
  const model = {
    modelId: "test",
    supportedUrls: {},
    async doStream(call: { readonly prompt: unknown[] }) {
      seen = call.prompt
      const end = { type: "finish", finishReason: { unified: "stop" }, usage: { inputTokens: {}, outputTokens: {} } }
      return { stream: Readable.toWeb(Readable.from([{ type: "stream-start", warnings: [] }, end])) }
    },
    ...fields,
  } as unknown as LanguageModelV3
  await streamReply(model, { prompt }, { signal: new AbortController().signal, clock: machineClock })
  return seen
}

test("a model of version 3 gets images as they are", async () => {
  expect(await asked({ specificationVersion: "v3", provider: "other.messages" })).toEqual(prompt)
})

test("a model of version 4 gets files with their tag, in messages and in results", async () => {
  const file = { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" }
  const seen = await asked({ specificationVersion: "v4", provider: "other.messages" })
  expect(seen[1]).toEqual({
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { filename: "a.png", ...file },
    ],
  })
  expect(seen[2]).toEqual(result({ type: "content", value: [{ type: "text", text: "An image" }, file] }))
  expect([seen[0], seen[3]]).toEqual([prompt[0], prompt[3]])
})

test("a model behind Chat Completions reads that an image in a result is not shown", async () => {
  const seen = await asked({ specificationVersion: "v3", provider: "ollama.chat" })
  expect(seen[2]).toEqual(result({ type: "text", value: expect.stringMatching(/^An image\n\(The image is not shown/) }))
  expect(seen[1]).toEqual(prompt[1])
})
