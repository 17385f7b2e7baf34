import type { LanguageModelV3StreamPart, LanguageModelV3StreamResult } from "@ai-sdk/provider"

/** Gives the parts of a reply one after another, as the reader of a web stream does. */
export type PartReader = Pick<ReadableStreamDefaultReader<LanguageModelV3StreamPart>, "read" | "cancel">

/**
 * A reply whose parts are all there. Haft reads them with `reader`; the stream is for others, made when one asks: on Node 20
 * a web stream takes longer than a call (bench: agent-step, decision 051).
 */
export class ReadyReply implements LanguageModelV3StreamResult {
  private readonly parts: readonly LanguageModelV3StreamPart[]

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

  /** Each part in a promise of its own, as from a stream. */
  reader(): PartReader {
    const { parts } = this
    let next = 0
    return {
      read: async () =>
        next < parts.length ? { done: false, value: parts[next++]! } : { done: true, value: undefined },
      cancel: async () => {
        next = parts.length
      },
    }
  }
}
