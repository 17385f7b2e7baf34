import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "write_text",
  title: "Write text",
  description:
    "Writes a whole UTF-8 text file into a folder that exists, whatever the file held before, also when it changed since it was read. Use where no folder shall be made.",
  input: z.strictObject({ path: z.string().min(1), content: z.string() }),
  output: outputSchema({ path: z.string().describe("Absolute, links followed"), bytes_written: z.int().min(0) }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.write", path }],
  judgedLike: "write",
})

/** Acknowledges; the content itself is never repeated. */
const present: Present<typeof manifest> = ({ path, bytes_written }) => [
  text(`Wrote ${bytes_written} ${bytes_written === 1 ? "byte" : "bytes"} to ${path}`),
]

const messages: ToolMessages = {
  en: { title: "Write text", loading: "Writing the text", done: "Wrote the text" },
  "zh-CN": { title: "写入文本", loading: "正在写入文本", done: "已写入文本" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a new file",
    input: { path: "a.txt", content: "grüße" },
    output: { bytes_written: 7 },
    after: { "a.txt": "grüße" },
  },
  {
    name: "the whole of an existing file",
    files: { "a.txt": "old\n" },
    input: { path: "a.txt", content: "new" },
    output: { bytes_written: 3 },
    after: { "a.txt": "new" },
  },
  {
    name: "no folder is made",
    input: { path: "new/a.txt", content: "x" },
    fails: "not_found",
    after: { "new/a.txt": null },
  },
]

/** Writes a whole text file into a folder that exists. */
export const writeText = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
  faces: () => import("@haft/tools/files/ui/change-faces.js"),
})
