import {
  defineManifest,
  defineTool,
  type Example,
  type OutputOf,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const count = z.int().min(0)

export const manifest = defineManifest({
  id: "read_files",
  title: "Read files",
  description:
    "Reads the same lines of up to 50 text files; one that cannot be read does not fail the rest. Does not list directories. Use when several files are wanted at once.",
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).max(50),
    offset: count.default(0).describe("First line, from 0"),
    limit: z.int().min(1).default(200).describe("Lines of each file"),
  }),
  output: outputSchema({
    files: z.array(
      z.strictObject({
        path: z.string(),
        content: z.string().describe("Empty for a file that could not be read"),
        start_line: count.describe("Number of the first line, from 1; 0 when there are no lines"),
        line_count: count,
        eof: z.boolean(),
        total_lines: count.optional().describe("Known when the end was reached"),
        error: z.string().optional(),
      }),
    ),
    failed: count,
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 60_000,
  effects: ({ paths }) => paths.map((path) => ({ kind: "fs.read", path })),
  judgedLike: "read",
})

/** Each file under its name with numbered lines, then how many could not be read. */
const present: Present<typeof manifest> = ({ files, failed }) => {
  const note = failed === 0 ? [] : [`[${failed} of ${files.length} files could not be read]`]
  return [text([...files.map(fileText), ...note].join("\n\n"))]
}

function fileText(file: OutputOf<typeof manifest>["files"][number]): string {
  const title = `=== ${/[\n\r]/.test(file.path) ? JSON.stringify(file.path) : file.path} ===`
  return [title, ...(file.error === undefined ? bodyOf(file) : [file.error])].join("\n")
}

function bodyOf({ content, start_line, line_count, eof }: OutputOf<typeof manifest>["files"][number]): string[] {
  if (line_count === 0) return ["[No lines here]"]
  const lines = content.replace(/\r?\n$/, "").split(/\r?\n/)
  const numbered = lines.map((line, index) => `${String(start_line + index).padStart(6)}\t${line}`)
  return eof ? numbered : [...numbered, `[Lines ${start_line} to ${start_line + line_count - 1}; there are more]`]
}

const messages: ToolMessages = {
  en: { title: "Read files", loading: "Reading files", done: "Read files" },
  "zh-CN": { title: "读取多个文件", loading: "正在读取文件", done: "已读取文件" },
}

const files = { "a.txt": "one\ntwo\n", "b.txt": "three" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two files",
    files,
    input: { paths: ["a.txt", "b.txt"] },
    output: {
      files: [
        { path: "a.txt", content: "one\ntwo\n", start_line: 1, line_count: 2, eof: true, total_lines: 2 },
        { path: "b.txt", content: "three", start_line: 1, line_count: 1, eof: true, total_lines: 1 },
      ],
      failed: 0,
    },
  },
  {
    name: "the second line of each",
    files,
    input: { paths: ["a.txt", "b.txt"], offset: 1, limit: 1 },
    output: { failed: 0 },
  },
  {
    name: "one that is not there does not fail the rest",
    files,
    input: { paths: ["c.txt", "b.txt"] },
    output: { failed: 1 },
  },
]

/** Reads the same lines of several files. */
export const readFiles = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
})
