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
  id: "clipboard_write",
  title: "Write clipboard",
  description:
    "Puts text on the user's clipboard and replaces what is there; takes no images or files. Use when the user asks to copy something.",
  input: z.strictObject({ text: z.string().describe("What the user will paste; up to 5 MB") }),
  output: outputSchema({
    ok: z.literal(true),
    source: z.enum(["system", "session"]).describe("session: a buffer of this session only"),
    reason: z.string().optional().describe("Why it is not the clipboard of the system"),
  }),
  requires: { capabilities: ["clipboard"] },
  operands: ["text"],
  toolset: "launcher",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 1_000, past: "sidecar", fields: [], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Replaces what is on the clipboard. */
const execute: Execute<typeof manifest> = async ({ text }, { clipboard }) => {
  return { ok: true, ...(await clipboard.write(text)) }
}

/** Acknowledges with the length: the model has just written the text. */
const present: Present<typeof manifest> = ({ source, reason = "this machine has no display" }, input) => {
  const what = input.text === "" ? "Cleared" : `Copied ${input.text.length} characters to`
  return [
    text(
      source === "system"
        ? `${what} the clipboard`
        : `${what} a buffer of this session; the user cannot paste it: ${reason}`,
    ),
  ]
}

const messages: ToolMessages = {
  en: { title: "Write clipboard", loading: "Writing to the clipboard", done: "Wrote to the clipboard" },
  "zh-CN": {
    title: "写入剪贴板",
    loading: "正在写入剪贴板",
    done: "已写入剪贴板",
    summary: "把文本放到你的剪贴板上，替换原有内容",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a line of text", input: { text: "npm run build" }, output: { ok: true, source: "session" } },
  { name: "an empty text clears it", input: { text: "" }, output: { ok: true } },
  { name: "a NUL character is no text", input: { text: "a\0b" }, fails: "invalid_args" },
]

/** Puts text on the clipboard. */
export const clipboardWrite = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/clipboard-faces.js"),
})
