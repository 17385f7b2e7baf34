import { defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { dataOf, failureOf, given } from "../shared/parts-of-result.js"
import { assertSettable, settingWords } from "./setting-words.js"

const maxSleepMs = 300_000

export const sleepRow = defineDialectTool({
  name: "Sleep",
  tool: "sleep",
  description: "Wait for a specified duration without holding a shell process.",
  input: z.strictObject({ duration_ms: z.int().min(0).max(maxSleepMs) }),
  toArguments: (input) => input,
  toValue: (_result, { duration_ms }) => ({ duration_ms, message: `Slept for ${duration_ms}ms` }),
  tier: "read-only",
})

interface Sent {
  readonly sent_at: string
  readonly attachments: readonly { readonly path: string; readonly size: number; readonly is_image: boolean }[]
}

/** `SendUserMessage`, once called `Brief`. */
export const sendUserMessageRow = defineDialectTool({
  name: "SendUserMessage",
  aliases: ["Brief"],
  tool: "send_user_message",
  description: "Send a message to the user.",
  input: z.strictObject({
    message: z.string().min(1),
    attachments: z.array(z.string().min(1)).optional(),
    status: z.enum(["normal", "proactive"]),
  }),
  toArguments: given,
  toValue: (result, { message, attachments }) => {
    const sent = dataOf<Sent>(result)
    return {
      message,
      attachments:
        attachments === undefined
          ? null
          : sent.attachments.map(({ path, size, is_image }) => ({ path, size, isImage: is_image })),
      sentAt: sent.sent_at,
    }
  },
  tier: "read-only",
})

/** `StructuredOutput`: any object but an empty one. */
export const structuredOutputRow = defineDialectTool({
  name: "StructuredOutput",
  tool: "structured_output",
  description: "Return structured output in the requested format.",
  input: z.looseObject({}),
  toArguments: (input) => input,
  toValue: (result) => ({
    data: "Structured output provided successfully",
    structured_output: dataOf<Readonly<Record<string, unknown>>>(result),
  }),
  tier: "read-only",
})

interface Setting {
  readonly value: unknown
  readonly previous_value?: unknown
}

const noAnswer = {
  operation: null,
  setting: null,
  value: null,
  previousValue: null,
  newValue: null,
  error: null,
}

/** `Config`: a setting that does not exist, or that means nothing here, is an answer and no error. */
export const configRow = defineDialectTool({
  name: "Config",
  tool: "config",
  description: "Get or set runtime settings.",
  input: z.strictObject({
    setting: z.string().min(1),
    value: z.union([z.string(), z.boolean(), z.number()]).optional(),
  }),
  toArguments: ({ setting, value }) => {
    const { ours, toOurs } = settingWords(setting)
    if (value !== undefined) assertSettable(setting)
    return { setting: ours, ...(value !== undefined && { value: toOurs(value) }) }
  },
  toValue: (result, { setting, value: given }) => {
    const data = dataOf<Setting>(result)
    const { toTheirs } = settingWords(setting)
    const value = toTheirs(data.value) ?? null
    const answer = { success: true, ...noAnswer, setting: setting.trim(), value }
    if (given === undefined) return { ...answer, operation: "get" }
    return { ...answer, operation: "set", previousValue: toTheirs(data.previous_value) ?? null, newValue: value }
  },
  toAnswer: (result, { setting }) => {
    const failure = failureOf(result)
    if (failure?.code === "not_found") {
      return { success: false, ...noAnswer, error: `Unknown setting: "${setting.trim()}"` }
    }
    if (failure?.code === "unsupported") return { success: false, ...noAnswer, error: failure.message }
    return undefined
  },
  tier: "workspace-write",
})
