import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { editing, readAndWrite } from "../shared/editing.js"

export const manifest = defineManifest({
  id: "edit",
  title: "Edit file",
  description:
    "Replaces text in an existing file; all other bytes, encoding and line endings stay. old_string must occur once unless replace_all. Use to revise; does not create files: use write.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Existing file"),
    old_string: z.string().describe("Text to replace, without line numbers"),
    new_string: z.string().describe("Text to put there"),
    replace_all: z.boolean().default(false).describe("Replace every occurrence"),
  }),
  output: outputSchema({
    file_path: z.string(),
    replacements: z.int().min(1),
    first_line: z.int().min(1).describe("Line of the first replacement, from 1"),
    normalised: z.string().optional().describe("What was disregarded to find the text, when it was not there exactly"),
    encoding_guessed: z.string().optional().describe("Encoding of the new text, when the file does not prove its own"),
  }),
  operands: ["file_path", "old_string", "new_string"],
  toolset: "locked",
  ...editing,
  effects: ({ file_path }) => readAndWrite(file_path),
  habits: {
    edits: "Send one call for each edit",
    expected_replacements: 'Leave it out; set "replace_all" to replace every occurrence',
    replacements: "Send one call for each edit",
    insert_line: 'Give the line before it as "old_string", and both lines as "new_string"',
  },
})

/** Acknowledges the edit; neither the old nor the new text is repeated. */
const present: Present<typeof manifest> = (output) => {
  const { file_path, replacements, first_line, normalised, encoding_guessed } = output
  const place =
    replacements === 1
      ? `1 replacement at line ${first_line}`
      : `${replacements} replacements from line ${first_line} on`
  const notes = [
    normalised === undefined ? [] : [`found by disregarding ${normalised}`],
    encoding_guessed === undefined ? [] : [`written as ${encoding_guessed}, a guess`],
  ].flat()
  return [text(`Edited ${file_path}: ${place}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`)]
}

const messages: ToolMessages = {
  en: { title: "Edit file", loading: "Editing the file", done: "Edited the file" },
  "zh-CN": {
    title: "编辑文件",
    loading: "正在编辑文件",
    done: "已编辑文件",
    summary: "替换现有文件里的一段文本，其余字节、编码和换行不变",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one place in a file",
    files: { "a.ts": "const a = 1\nconst b = 2\n" },
    input: { file_path: "a.ts", old_string: "b = 2", new_string: "b = 3" },
    output: { file_path: "a.ts", replacements: 1, first_line: 2 },
    after: { "a.ts": "const a = 1\nconst b = 3\n" },
  },
  {
    name: "line endings of the file are kept",
    files: { "a.txt": "one\r\ntwo\r\nthree" },
    input: { file_path: "a.txt", old_string: "one\ntwo", new_string: "one\nand a half\ntwo" },
    output: { replacements: 1, first_line: 1, normalised: "line endings" },
    after: { "a.txt": "one\r\nand a half\r\ntwo\r\nthree" },
  },
  {
    name: "every occurrence",
    files: { "a.txt": "x y x\nx\n" },
    input: { file_path: "a.txt", old_string: "x", new_string: "zz", replace_all: true },
    output: { replacements: 3, first_line: 1 },
    after: { "a.txt": "zz y zz\nzz\n" },
  },
  {
    name: "a text that occurs twice is a conflict",
    files: { "a.txt": "x\nx\n" },
    input: { file_path: "a.txt", old_string: "x", new_string: "y" },
    fails: "conflict",
    after: { "a.txt": "x\nx\n" },
  },
  {
    name: "a similar text is shown and never changed",
    files: { "a.ts": "export function total(items: Item[]) {\n  return items.length\n}\n" },
    input: { file_path: "a.ts", old_string: "export function total(list: Item[]) {", new_string: "x" },
    fails: "conflict",
    after: { "a.ts": "export function total(items: Item[]) {\n  return items.length\n}\n" },
  },
]

/** Replaces text in a file and leaves every other byte alone. */
export const edit = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../shared/preview/dry-run.js"),
  faces: () => import("../ui/change-faces.js"),
})
