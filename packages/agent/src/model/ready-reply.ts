import type { LanguageModelV3StreamPart, LanguageModelV3StreamResult } from "@ai-sdk/provider"

/**
 * A reply whose parts are all there. Haft takes them as they are; the stream is for others, made when one asks: on Node 20 a
 * web stream takes longer than a call (bench: agent-step, decision 051).
 */
export class ReadyReply implements LanguageModelV3StreamResult {
  readonly parts: readonly LanguageModelV3StreamPart[]

  constructor(parts: readonly LanguageModelV3StreamPart[]) {
    this.parts = parts
  }

  get stream(): ReadableStream<LanguageModelV3StreamPart> {
    const { parts } = this
    return new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
  }
}
