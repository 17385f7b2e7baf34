import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import { onOneLine, quoted, severalNotes, skippedNotes, skippedSchema } from "@haft/tools/search/shared.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "glob_search",
  title: "Find newest files",
  description:
    "Lists files whose path matches a glob, the most recently changed first; skips what ignore files name and folders of built and installed things. Use to find what was worked on last.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("For instance src/**/*.ts"),
    path: z.string().min(1).optional().describe("Directory; default the working directory"),
  }),
  output: outputSchema({
    paths: z.array(z.string()).describe("Absolute"),
    complete: z.boolean().describe("False when there may be more paths than these"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 100, past: "sidecar", field: "paths" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path = "." }) => [{ kind: "fs.read", path }],
  judgedLike: "glob",
})

/** One path a line, then how many there are and whether that is all. */
const present: Present<typeof manifest> = (output, { pattern }) => {
  const { paths, complete } = output
  const notes = [
    paths.length === 0
      ? `No file matches ${quoted(pattern)}`
      : `${paths.length} ${paths.length === 1 ? "file" : "files"}, newest first`,
    ...(paths.length === 0 ? severalNotes(pattern) : []),
    ...(output.timed_out ? ["timed out; narrow path or pattern"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; narrow path or pattern"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...paths.map(onOneLine), `[${notes.join("; ")}]`].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Find newest files", loading: "Finding files", done: "Found files" },
  "zh-CN": { title: "查找最新文件", loading: "正在查找文件", done: "已查找文件" },
}

const files = { "README.md": "# Demo\n", "src/main.ts": "export {}\n", "dist/main.ts": "export {}\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "what was built is left out",
    files: { "dist/main.ts": "", "node_modules/a/index.ts": "" },
    input: { pattern: "**/*.ts" },
    output: { paths: [], complete: true },
  },
  { name: "no match is an answer, not a failure", files, input: { pattern: "**/*.py" }, output: { paths: [] } },
  { name: "a folder that does not exist", files, input: { pattern: "*.ts", path: "scr" }, fails: "not_found" },
]

/** Finds files by name pattern, the newest first. */
export const globSearch = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/search/ui/path-faces.js"),
})
