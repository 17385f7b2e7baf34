import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"

const manifest = defineManifest({
  id: "structured_output",
  title: "Structured output",
  description:
    "Ends the run with its arguments as the result: any object with at least one field, of the shape that was asked for. Use once, last, when a structured result is wanted.",
  input: z.looseObject({}),
  // The object itself, whatever its fields are called; nothing is ever cut from it.
  output: z.looseObject({}),
  requires: {},
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Gives the object back when it fits what the host asked for. */
export const execute: Execute<typeof manifest> = async (input, { conversation }) => {
  if (Object.keys(input).length === 0) {
    throw new ToolError("invalid_args", "Cannot end with an empty object: it needs at least one field", {
      hint: "Put the result into the arguments themselves",
    })
  }
  const problems = conversation.checkOutput(input)
  if (problems.length > 0) {
    const shown = problems.slice(0, maxShown)
    const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : ""
    throw new ToolError("invalid_args", `Cannot end with this object: ${shown.join("; ")}${more}`, {
      hint: "Correct these and call again",
      details: { problems: shown },
    })
  }
  return input
}

// Enough to correct an object; a wrong list of a thousand items has a thousand problems.
const maxShown = 10

/** A fixed confirmation: the model has just written the object. */
const present: Present<typeof manifest> = () => [text("Structured output provided successfully")]

const messages: ToolMessages = {
  en: { title: "Structured output", loading: "Checking the result", done: "Returned the result" },
  "zh-CN": {
    title: "结构化输出",
    loading: "正在检查结果",
    done: "已返回结果",
    summary: "以给定的参数作为结果结束运行",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "an object", input: { answer: 42, reasons: ["it was computed"] }, output: {} },
  { name: "nested objects", input: { files: [{ path: "a.ts", problems: [] }] }, output: {} },
  { name: "an empty object", input: {}, fails: "invalid_args" },
]

/** Ends the run with an object. */
export const structuredOutput = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
})
