import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "write_file",
  title: "Write file",
  description:
    "Creates a file of up to 10 MB, parent folders included, or replaces a whole file, and keeps what it replaced beside the result. Writes UTF-8. Use for new files and whole replacements.",
  input: z.strictObject({ path: z.string().min(1), content: z.string().describe("The whole new content") }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    created: z.boolean(),
    bytes_written: z.int().min(0),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  // The result includes the former content, so it must be a file that may be read.
  effects: ({ path }) => [
    { kind: "fs.write", path },
    { kind: "fs.read", path },
  ],
  judgedLike: "write",
})

/** Acknowledges; neither the former nor the new content is repeated. */
const present: Present<typeof manifest> = ({ path, created, bytes_written }) => [
  text(`${created ? "Created" : "Replaced"} ${path}: ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"}`),
]

const messages: ToolMessages = {
  en: { title: "Write file", loading: "Writing the file", done: "Wrote the file" },
  "zh-CN": { title: "写入文件", loading: "正在写入文件", done: "已写入文件" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file in a new folder",
    input: { path: "notes/today.md", content: "# Today\n" },
    output: { created: true, bytes_written: 8 },
    after: { "notes/today.md": "# Today\n" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "one\ntwo\n" },
    input: { path: "a.txt", content: "one\n2\n" },
    output: { created: false, bytes_written: 6 },
    after: { "a.txt": "one\n2\n" },
  },
  {
    name: "a directory is not replaced",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "src", content: "x" },
    fails: "unsupported",
  },
]

/** Writes a whole file and keeps what it replaced beside the result. */
export const writeFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
  faces: () => import("@haft/tools/files/ui/change-faces.js"),
})
