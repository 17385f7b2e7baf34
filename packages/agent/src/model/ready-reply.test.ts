import type { LanguageModelV3 } from "@ai-sdk/provider"
import fc from "fast-check"
import { expect, test } from "vitest"
import { machineClock } from "./clock.js"
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

test("a script is read the same from its parts and as a web stream", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (words) => {
      const script = () => new ScriptModel("s", [{ number: 1, ...words } as never])
      expect(await heard(script())).toEqual(await heard(streaming(script())))
    }),
  )
})

test("a watcher that stops a reply gets no more of it", async () => {
  const stop = new AbortController()
  const chunks: ReplyChunk[] = []
  const onChunk = (chunk: ReplyChunk) => {
    chunks.push(chunk)
    stop.abort()
  }
  const model = new ScriptModel("s", [{ number: 1, text: "word ".repeat(40), calls: [] } as never])
  const reply = streamReply(model, { prompt: [] }, { signal: stop.signal, clock: machineClock, onChunk })
  await expect(reply).rejects.toMatchObject({ failure: { kind: "cancelled" } })
  expect(chunks).toHaveLength(1)
})
