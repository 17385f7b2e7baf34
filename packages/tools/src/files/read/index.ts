import {
  defineManifest,
  defineTool,
  type Example,
  type InputOf,
  type OutputOf,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** Lines of a page when the call names no limit. */
export const defaultLineLimit = 2000

const count = z.int().min(0)

export const manifest = defineManifest({
  id: "read",
  title: "Read file",
  description:
    "Reads a file as numbered lines, a page at a time; also images, PDF text and notebooks. Does not list directories. Use before changing a file.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Absolute, or from the working directory"),
    offset: count.default(0).describe("First line, from 0"),
    limit: z.int().min(1).default(defaultLineLimit).describe("Lines"),
    byte_offset: count.optional().describe("Read bytes instead of lines from here"),
    byte_limit: z.int().min(1).optional().describe("Bytes"),
  }),
  output: outputSchema({
    content: z.string().describe("The text as it is in the file, decoded; empty for an image"),
    start_line: count.describe("Number of the first line, from 1; 0 when it is not known or there are no lines"),
    line_count: count,
    eof: z.boolean(),
    next_offset: count.optional().describe("The offset that goes on after this page"),
    next_byte_offset: count.optional().describe("The byte_offset that goes on after this page"),
    total_lines: count.optional().describe("Known when the end was reached"),
    encoding: z.string(),
    encoding_guessed: z.literal(true).optional(),
    media_type: z.string(),
    image: z
      .strictObject({ media_type: z.string(), width: count, height: count, bytes: count, resized: z.boolean() })
      .optional()
      .describe("The attached image"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  operands: ["file_path"],
  toolset: "locked",
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ file_path }) => [{ kind: "fs.read", path: file_path }],
  habits: {
    end_line: 'Say where to begin with "offset" and how many lines with "limit"',
    line_end: 'Say where to begin with "offset" and how many lines with "limit"',
    encoding: "Leave it out: the encoding is recognised",
    pages: 'Say where to begin with "offset" and how many lines with "limit"',
    view_range: 'Say where to begin with "offset" and how many lines with "limit"',
  },
})

type Output = OutputOf<typeof manifest>

/** Numbered lines for a read by lines, the bare text for a read by bytes, and where to go on. */
const present: Present<typeof manifest> = (output, input) => {
  if (output.image) return [text(imageLine(output.image))]
  const byBytes = input.byte_offset !== undefined || input.byte_limit !== undefined
  const body = byBytes ? output.content : numbered(output)
  const notes = [...placeNotes(output, input), ...encodingNotes(output)].map((note) => `[${note}]`).join("\n")
  if (body === "") return [text(notes === "" ? "[No text here]" : notes)]
  if (notes === "") return [text(body)]
  return [text(body.endsWith("\n") ? body + notes : `${body}\n${notes}`)]
}

function imageLine({ media_type, width, height, bytes, resized }: NonNullable<Output["image"]>): string {
  return `[Image: ${media_type} ${width}x${height}, ${bytes} bytes${resized ? ", scaled down" : ""}]`
}

/** Written for speed: every read goes through here. */
function numbered({ content, start_line }: Output): string {
  if (content === "") return ""
  // The carriage return of a line break is no part of the line's text.
  const lines = content.split(content.includes("\r") ? /\r?\n/ : "\n")
  if (content.endsWith("\n")) lines.pop()
  for (let index = 0; index < lines.length; index += 1) lines[index] = beginningOf(start_line + index) + lines[index]
  return lines.join("\n")
}

/** The number of a line, six wide, and a tab. Those of a first page are kept (rows "read of 7 KB" and "1000 concurrent small reads"). */
function beginningOf(line: number): string {
  if (line > defaultLineLimit) return `${String(line).padStart(6)}\t`
  beginnings[line] ??= `${String(line).padStart(6)}\t`
  return beginnings[line]
}

const beginnings: string[] = []

function placeNotes(output: Output, input: InputOf<typeof manifest>): readonly string[] {
  const { content, start_line, line_count, total_lines, next_offset, next_byte_offset } = output
  if (next_offset !== undefined) {
    return [`Lines ${start_line} to ${start_line + line_count - 1}; go on with offset=${next_offset}`]
  }
  if (next_byte_offset !== undefined && input.byte_offset === undefined && input.byte_limit === undefined) {
    const next = `or with the next line at offset=${start_line}`
    return [`Line ${start_line} is longer than a page; go on inside it with byte_offset=${next_byte_offset}, ${next}`]
  }
  if (next_byte_offset !== undefined) return [`Go on with byte_offset=${next_byte_offset}`]
  if (content !== "") return []
  return [total_lines === 0 ? "The file is empty" : `End of file${total_lines ? `: ${total_lines} lines` : ""}`]
}

function encodingNotes({ encoding, encoding_guessed }: Output): readonly string[] {
  if (encoding_guessed) return [`Encoding guessed: ${encoding}`]
  return encoding === "utf-8" ? [] : [`Encoding: ${encoding}`]
}

const messages: ToolMessages = {
  en: { title: "Read file", loading: "Reading the file", done: "Read the file" },
  "zh-CN": {
    title: "读取文件",
    loading: "正在读取文件",
    done: "已读取文件",
    summary: "按行号分页读取文件，也能读图片、PDF 文本和笔记本",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a small file",
    files: { "a.txt": "one\ntwo\nthree\n" },
    input: { file_path: "a.txt" },
    output: {
      content: "one\ntwo\nthree\n",
      start_line: 1,
      line_count: 3,
      eof: true,
      total_lines: 3,
      encoding: "utf-8",
    },
  },
  {
    name: "one line from the middle",
    files: { "a.txt": "one\ntwo\nthree\n" },
    input: { file_path: "a.txt", offset: 1, limit: 1 },
    output: { content: "two\n", start_line: 2, line_count: 1, eof: false, next_offset: 2 },
  },
  {
    name: "bytes, ended at a character",
    files: { "a.txt": "né\n" },
    input: { file_path: "a.txt", byte_offset: 0, byte_limit: 2 },
    output: { content: "n", eof: false, next_byte_offset: 1 },
  },
  {
    name: "a notebook as cells",
    files: {
      "demo.ipynb": JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: [{ id: "a1", cell_type: "code", source: ["1 + 1"], outputs: [], metadata: {}, execution_count: 1 }],
      }),
    },
    input: { file_path: "demo.ipynb" },
    output: { content: "--- cell a1 (code) ---\n1 + 1\n", media_type: "application/x-ipynb+json" },
  },
  { name: "a file that does not exist", files: { "main.ts": "" }, input: { file_path: "mian.ts" }, fails: "not_found" },
]

/** Reads text, images, PDF and notebooks, page by page. */
export const read = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/read-faces.js"),
})
