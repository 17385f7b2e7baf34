import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import fc from "fast-check"
import { expect, test } from "vitest"
import { machineClock } from "./clock.js"
import { ReadyReply } from "./ready-reply.js"
import type { ReplyChunk } from "./reply.js"
import { ScriptModel } from "./script-model.js"
import { streamReply } from "./stream-reply.js"

async function heard(model: LanguageModelV3) {
  const chunks: ReplyChunk[] = []
  const onChunk = (chunk: ReplyChunk) => chunks.push(chunk)
  const { signal } = new AbortController()
  const end = await streamReply(model, { prompt: [] }, { signal, clock: machineClock, onChunk }).catch(String)
  return { chunks, end }
}

/** The same replies, read as those of a provider. */
function streaming(model: LanguageModelV3): LanguageModelV3 {
  const doStream: LanguageModelV3["doStream"] = async (call) => ({ stream: (await model.doStream(call)).stream })
  return {
    specificationVersion: "v3",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doStream,
    doGenerate: model.doGenerate,
  }
}

const line = fc.record({
  text: fc.option(fc.string({ unit: "grapheme", maxLength: 200 }), { nil: undefined }),
  calls: fc.array(fc.record({ name: fc.string({ maxLength: 8 }), input: fc.oneof(fc.json(), fc.string()) }), {
    maxLength: 3,
  }),
})

test("a script is read the same with its reader and as a web stream", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (words) => {
      const script = () => new ScriptModel("s", [{ number: 1, ...words } as never])
      expect(await heard(script())).toEqual(await heard(streaming(script())))
    }),
  )
})

test("a reader that is cancelled gives no more parts", async () => {
  const parts: LanguageModelV3StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
  ]
  const reader = new ReadyReply(parts).reader()
  expect(await reader.read()).toEqual({ done: false, value: { type: "stream-start", warnings: [] } })
  await reader.cancel()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})
