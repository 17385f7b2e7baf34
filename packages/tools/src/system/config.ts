import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

const manifest = defineManifest({
  id: "config",
  title: "Settings",
  description:
    "Reads a setting, or sets one with value: language, theme, verbosity, notification. Other settings can be read, never set. Use when the person asks about them.",
  input: z.strictObject({
    setting: z.string().min(1).max(200),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  }),
  output: outputSchema({
    setting: z.string(),
    value: z.unknown(),
    previous_value: z.unknown().optional().describe("What it was before; only when it was set"),
  }),
  requires: { capabilities: ["config"] },
  operands: ["setting", "value"],
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Reads without a value, sets with one; what may be set is decided by the port. */
export const execute: Execute<typeof manifest> = async ({ setting, value }, { settings }) => {
  if (value === undefined) return { setting, value: await settings.get(setting) }
  const done = await settings.set(setting, value)
  return { setting, value: done.value, previous_value: done.previous }
}

/** The setting with its value, as JSON: a list and a text look different then. */
const present: Present<typeof manifest> = (output) => {
  const { setting, value } = output
  const before = "previous_value" in output ? ` (before: ${JSON.stringify(output.previous_value)})` : ""
  return [text(`${setting.slice(0, 200)} = ${JSON.stringify(value)}${before}`)]
}

const messages: ToolMessages = {
  en: { title: "Settings", loading: "Looking at the settings", done: "Looked at the settings" },
  "zh-CN": {
    title: "设置",
    loading: "正在查看设置",
    done: "已查看设置",
    summary: "读取设置项，或设置语言、主题、详细程度、通知",
  },
}

export const examples: readonly Example<typeof manifest>[] = [
  { name: "read a setting", input: { setting: "language" }, output: { setting: "language", value: "en" } },
  {
    name: "set a display setting",
    input: { setting: "theme", value: "dark" },
    output: { setting: "theme", value: "dark", previous_value: "auto" },
  },
  { name: "a setting that no tool may set", input: { setting: "mode", value: "auto" }, fails: "denied" },
  { name: "a setting that does not exist", input: { setting: "colour" }, fails: "not_found" },
]

/** Reads and sets how Haft is configured. */
export const config = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
})
