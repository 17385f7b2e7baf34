import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const count = z.int().min(0)

export const manifest = defineManifest({
  id: "read_text",
  title: "Read text",
  description:
    "Reads a whole UTF-8 text file, or some of its lines, without line numbers; any other encoding or a file above 10 MB is an error. Use where a text is wanted exactly as it is.",
  input: z.strictObject({
    path: z.string().min(1),
    offset: count.optional().describe("First line, from 0"),
    limit: z.int().min(1).optional().describe("Lines; default to the end"),
    refuse_binary: z.boolean().default(false).describe("A NUL near the beginning is an error"),
  }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    content: z.string().describe("As it is in the file, line endings included"),
    start_line: z.int().min(1).describe("Number of the first line, from 1"),
    line_count: count,
    total_lines: count,
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
  judgedLike: "read",
})

/** The text itself. */
const present: Present<typeof manifest> = ({ content, total_lines }) => [
  text(
    content === "" ? (total_lines === 0 ? "[The file is empty]" : `[No such line: there are ${total_lines}]`) : content,
  ),
]

const messages: ToolMessages = {
  en: { title: "Read text", loading: "Reading the text", done: "Read the text" },
  "zh-CN": { title: "读取文本", loading: "正在读取文本", done: "已读取文本" },
}

const files = { "a.txt": "one\r\ntwo\nthree" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the whole file as it is",
    files,
    input: { path: "a.txt" },
    output: { content: "one\r\ntwo\nthree", start_line: 1, line_count: 3, total_lines: 3 },
  },
  {
    name: "one line",
    files,
    input: { path: "a.txt", offset: 1, limit: 1 },
    output: { content: "two\n", start_line: 2, line_count: 1, total_lines: 3 },
  },
  { name: "a file that is not there", files, input: { path: "b.txt" }, fails: "not_found" },
]

/** Reads a whole text file, or some of its lines, as strict UTF-8. */
export const readText = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/files/ui/read-faces.js"),
})
