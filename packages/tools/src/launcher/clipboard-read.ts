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
  id: "clipboard_read",
  title: "Read clipboard",
  description:
    "Returns the text on the user's clipboard; other content is an error. Use when the user speaks of what they copied.",
  input: z.strictObject({}),
  output: outputSchema({
    text: z.string(),
    source: z.enum(["system", "session"]).describe("session: a buffer of this session only"),
    reason: z.string().optional().describe("Why it is not the clipboard of the system"),
  }),
  requires: { capabilities: ["clipboard"] },
  toolset: "launcher",
  defaults: [{ action: "ask", why: "the clipboard may hold anything, a password too", final: true }],
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["text"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Reads the clipboard as it is now. */
const execute: Execute<typeof manifest> = (_input, { clipboard }) => clipboard.read()

/** The text itself, with a note where it is not the clipboard that the user sees. */
const present: Present<typeof manifest> = ({ text: content, source, reason = "this machine has no display" }) => {
  const note = source === "session" ? `this is a buffer of the session, not the user's clipboard: ${reason}` : undefined
  if (content === "") return [text(`[The clipboard holds no text${note === undefined ? "" : `; ${note}`}]`)]
  return [text(note === undefined ? content : `${content}\n[${note}]`)]
}

const messages: ToolMessages = {
  en: { title: "Read clipboard", loading: "Reading the clipboard", done: "Read the clipboard" },
  "zh-CN": { title: "读取剪贴板", loading: "正在读取剪贴板", done: "已读取剪贴板", summary: "返回你剪贴板上的文本" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "nothing was copied", input: {}, output: { text: "" } },
  { name: "no display: the buffer of the session", input: {}, output: { source: "session" } },
  { name: "reading twice changes nothing", input: {}, output: { text: "", source: "session" } },
]

/** Reads the text on the clipboard. */
export const clipboardRead = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/clipboard-faces.js"),
})
