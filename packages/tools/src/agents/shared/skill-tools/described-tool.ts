import type { ToolMessages } from "@haft/contract"
import type * as z from "zod"

/** What a skill says about a tool, ready for a manifest. */
export interface DescribedTool {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
}

/** The words for people: a skill brings only a title. */
export function wordsOf(title: string): ToolMessages {
  const words = { title, loading: title, done: title }
  return { en: words, "zh-CN": words }
}
