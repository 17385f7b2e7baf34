import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type FileReader,
  type MessageAttachment,
  type Present,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

const manifest = defineManifest({
  id: "send_user_message",
  title: "Message",
  description:
    "Shows the person a message and goes on; waits for no answer: use question for that. Use for news during long work.",
  input: z.strictObject({
    message: z.string().min(1),
    status: z.enum(["normal", "proactive"]).describe("proactive: nobody asked for it"),
    attachments: z.array(z.string().min(1)).default([]).describe("Paths of files"),
  }),
  output: outputSchema({
    sent_at: z.string().describe("ISO 8601"),
    attachments: z.array(z.strictObject({ path: z.string(), size: z.int().min(0), is_image: z.boolean() })),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  operands: ["message"],
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "attachments" },
  // The person would read it twice.
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ attachments }) => attachments.map((path) => ({ kind: "fs.read", path })),
  subject: ({ message, status }) => ({ kind: "arguments", values: { message, status } }),
})

/** Looks at every attachment first: a message whose files are missing is not sent. */
const execute: Execute<typeof manifest> = async ({ message, status, attachments }, { conversation, files }) => {
  const found: MessageAttachment[] = []
  for (const path of attachments) found.push(await attachmentOf(path, files))
  conversation.tell({ message, status, attachments: found })
  return { sent_at: new Date().toISOString(), attachments: found }
}

async function attachmentOf(path: string, files: FileReader): Promise<MessageAttachment> {
  const facts = await files.stat(path)
  if (facts === undefined) {
    throw new ToolError("not_found", `Cannot attach "${path}": there is no such file; nothing was sent`, {
      hint: { say: "Find it with {tool:glob|ls}" },
    })
  }
  if (facts.kind !== "file") {
    throw new ToolError("unsupported", `Cannot attach "${path}": it is a directory; attach its files one by one`)
  }
  return { path: facts.path, size: facts.size, is_image: imageEnding.test(facts.path) }
}

const imageEnding = /\.(?:png|jpe?g|gif|webp|bmp|svg|avif|ico|tiff?)$/i

/** Acknowledges; the model wrote the message itself. */
const present: Present<typeof manifest> = ({ attachments }) => {
  const count = attachments.length === 1 ? "1 file" : `${attachments.length} files`
  return [text(attachments.length === 0 ? "Message sent" : `Message sent with ${count}`)]
}

const messages: ToolMessages = {
  en: { title: "Message", loading: "Sending a message", done: "Sent a message" },
  "zh-CN": {
    title: "消息",
    loading: "正在发送消息",
    done: "已发送消息",
    summary: "向你显示一条消息后继续，不等待回答",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "news during long work",
    input: { message: "The tests pass; the build goes on", status: "normal" },
    output: { attachments: [] },
  },
  {
    name: "with files",
    files: { "report.md": "# Report\n", "chart.png": "x" },
    input: { message: "The report is ready", status: "proactive", attachments: ["report.md", "chart.png"] },
    output: {},
  },
  {
    name: "a file that is missing",
    input: { message: "See this", status: "normal", attachments: ["no-such-file.md"] },
    fails: "not_found",
  },
  {
    name: "a folder is no attachment",
    files: { "src/a.ts": "" },
    input: { message: "See this", status: "normal", attachments: ["src"] },
    fails: "unsupported",
  },
]

/** Shows the person a message. */
export const sendUserMessage = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/message-faces.js"),
})
