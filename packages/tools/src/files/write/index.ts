import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { editing } from "../shared/editing.js"

export const manifest = defineManifest({
  id: "write",
  title: "Write file",
  description:
    "Creates a file, parent folders included, or replaces a whole file; writes UTF-8 and line endings as given. To revise part of a file use edit.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Absolute, or from the working directory"),
    content: z.string().describe("The whole new content"),
  }),
  output: outputSchema({
    file_path: z.string(),
    created: z.boolean(),
    bytes_written: z.int().min(0),
    former_encoding: z.string().optional().describe("Encoding of the replaced file when it was not plain UTF-8"),
  }),
  operands: ["file_path", "content"],
  toolset: "locked",
  ...editing,
  requires: { fs: { write: ["{workspace}/**", "{ad-hoc}/**"] } },
  effects: ({ file_path }) => [{ kind: "fs.write", path: file_path }],
  habits: {
    append: 'Give the whole new text in "content"',
    mode: "Leave it out: the file is replaced, and keeps its mode",
    encoding: "Leave it out: the text is written as UTF-8",
    overwrite: "Leave it out: a file that is there is replaced",
    create_directories: "Leave it out: missing folders are made",
  },
})

/** Acknowledges; the content itself is never repeated. */
const present: Present<typeof manifest> = ({ file_path, created, bytes_written, former_encoding }) => {
  const done = `${created ? "Created" : "Replaced"} ${file_path}: ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"}`
  return [
    text(former_encoding === undefined ? done : `${done} (the former file was ${former_encoding}, this one is utf-8)`),
  ]
}

const messages: ToolMessages = {
  en: { title: "Write file", loading: "Writing the file", done: "Wrote the file" },
  "zh-CN": {
    title: "写入文件",
    loading: "正在写入文件",
    done: "已写入文件",
    summary: "新建文件（含上级文件夹），或替换整个文件",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file in a new folder",
    input: { file_path: "notes/today.md", content: "# Today\n" },
    output: { file_path: "notes/today.md", created: true, bytes_written: 8 },
    after: { "notes/today.md": "# Today\n" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "old\n" },
    input: { file_path: "a.txt", content: "new\r\n" },
    output: { file_path: "a.txt", created: false, bytes_written: 5 },
    after: { "a.txt": "new\r\n" },
  },
  {
    name: "an empty file",
    input: { file_path: ".gitkeep", content: "" },
    output: { file_path: ".gitkeep", created: true, bytes_written: 0 },
    after: { ".gitkeep": "" },
  },
  {
    name: "a directory is not replaced",
    files: { "src/main.ts": "export {}\n" },
    input: { file_path: "src", content: "x" },
    fails: "unsupported",
    after: { "src/main.ts": "export {}\n" },
  },
]

/** Creates a file, or replaces the whole of one. */
export const write = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../shared/preview/dry-run.js"),
  faces: () => import("../ui/change-faces.js"),
})
