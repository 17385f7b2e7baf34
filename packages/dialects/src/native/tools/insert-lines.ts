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
import { editing, readAndWrite } from "@haft/tools/files/shared/editing.js"
import { encodeText, maxTextBytes } from "@haft/tools/files/shared/text/index.js"
import { openText } from "@haft/tools/files/shared/text/open-text.js"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const manifest = defineManifest({
  id: "insert_lines",
  title: "Insert lines",
  description:
    "Puts lines into an existing text file behind a line; encoding and line endings stay. Does not create files. Use where a place is known by its number.",
  input: z.strictObject({
    path: z.string().min(1),
    after_line: z.int().min(0).describe("The line before, from 1; 0 for the top"),
    lines: z.string().describe("The lines"),
  }),
  output: outputSchema({ path: z.string(), first_line: z.int().min(1), line_count: z.int().min(1) }),
  ...editing,
  effects: ({ path }) => readAndWrite(path),
  judgedLike: "edit",
})

/** Puts the lines between the bytes that are there, with no other writer in between. */
const execute: Execute<typeof manifest> = async ({ path, after_line: after, lines }, { files }) => {
  const added = lines.replace(/\r?\n$/, "").split(/\r?\n/)
  await files.update(path, { maxBytes: maxTextBytes }, async ({ bytes }) => {
    const opened = await openText(bytes)
    const { content, encoding } = opened
    const place = startOfLine(content, after)
    if (place === undefined) throw beyondEnd(path, after)
    const lineBreak = content.includes("\r\n") ? "\r\n" : "\n"
    const isOpen = place > 0 && content[place - 1] !== "\n"
    const words = `${isOpen ? lineBreak : ""}${added.join(lineBreak)}${isOpen ? "" : lineBreak}`
    return spliced(bytes, opened.byteAt(place), await encodeText(words, encoding))
  })
  return { path, first_line: after + 1, line_count: added.length }
}

function spliced(bytes: Uint8Array, at: number, added: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + added.length)
  result.set(bytes.subarray(0, at))
  result.set(added, at)
  result.set(bytes.subarray(at), at + added.length)
  return result
}

/** Where the line behind this one begins; undefined where there is no such line. */
function startOfLine(content: string, line: number): number | undefined {
  let place = 0
  for (let passed = 0; passed < line; passed += 1) {
    const end = content.indexOf("\n", place)
    if (end === -1) return passed === line - 1 && place < content.length ? content.length : undefined
    place = end + 1
  }
  return place
}

function beyondEnd(path: string, line: number): ToolError {
  return new ToolError("invalid_args", `Cannot insert into "${path}": it has no line ${line}`, {
    hint: { say: "Look at it with {tool:read}" },
  })
}

const present: Present<typeof manifest> = ({ path, first_line, line_count }) => [
  text(`Inserted ${line_count} ${line_count === 1 ? "line" : "lines"} into ${path} from line ${first_line} on`),
]

const messages: ToolMessages = {
  en: { title: "Insert lines", loading: "Inserting lines", done: "Inserted lines" },
  "zh-CN": { title: "插入行", loading: "正在插入行", done: "已插入行" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "at the top",
    files: { "a.txt": "two\n" },
    input: { path: "a.txt", after_line: 0, lines: "one" },
    output: { first_line: 1, line_count: 1 },
    after: { "a.txt": "one\ntwo\n" },
  },
  {
    name: "behind a last line without its end, in the file's own line endings",
    files: { "a.txt": "one\r\ntwo" },
    input: { path: "a.txt", after_line: 2, lines: "three\nfour\n" },
    output: { first_line: 3, line_count: 2 },
    after: { "a.txt": "one\r\ntwo\r\nthree\r\nfour" },
  },
  {
    name: "behind a line that is not there",
    files: { "a.txt": "one\n" },
    input: { path: "a.txt", after_line: 5, lines: "x" },
    fails: "invalid_args",
    after: { "a.txt": "one\n" },
  },
]

/** Puts lines behind a line, for systems that name places by their number. */
export const insertLines = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
  examples: async () => ({ examples }),
})
