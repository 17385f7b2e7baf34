import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { onOneLine, pathsOutput, quoted, readsBelow, searching, severalNotes, skippedNotes } from "../shared.js"

export const manifest = defineManifest({
  id: "glob",
  title: "Find files",
  description:
    "Lists files whose path matches a glob, sorted; skips what ignore files name. Does not look inside files: use grep. Use to find files by name.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("For instance src/**/*.ts"),
    path: z.string().min(1).optional().describe("Directory; default the working directory"),
  }),
  output: pathsOutput("paths"),
  operands: ["pattern", "path"],
  toolset: "locked",
  ...searching,
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "paths" },
  effects: ({ path }) => readsBelow(path),
  habits: {
    limit: "Leave it out; narrow the pattern",
    recursive: "Leave it out; ** in the pattern means folders",
    head_limit: "Leave it out; narrow the pattern",
    ignore: "Leave it out; what ignore files name is skipped",
  },
})

/** One path a line, then how many there are and whether that is all. */
const present: Present<typeof manifest> = (output, { pattern }) => {
  const { paths, complete, total = paths.length } = output
  const notes = [
    paths.length === 0 ? `No file matches ${quoted(pattern)}` : `${total} ${total === 1 ? "file" : "files"}`,
    ...(paths.length === 0 ? severalNotes(pattern) : []),
    ...(output.timed_out ? ["timed out; narrow path or pattern"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; narrow path or pattern"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...paths.map(onOneLine), `[${notes.join("; ")}]`].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Find files", loading: "Finding files", done: "Found files" },
  "zh-CN": {
    title: "查找文件",
    loading: "正在查找文件",
    done: "已查找文件",
    summary: "列出路径符合通配模式的文件，跳过忽略文件所列的内容",
  },
}

const files = { "README.md": "# Demo\n", "src/main.ts": "export {}\n", "src/deep/part.ts": "export {}\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "all TypeScript files, sorted",
    files,
    input: { pattern: "**/*.ts" },
    output: { paths: ["src/deep/part.ts", "src/main.ts"], complete: true, total: 2 },
  },
  {
    name: "only below one folder",
    files,
    input: { pattern: "*.ts", path: "src/deep" },
    output: { paths: ["src/deep/part.ts"], complete: true },
  },
  {
    name: "ignored files are left out",
    files: { ...files, ".gitignore": "src/deep/\n" },
    input: { pattern: "**/*.ts" },
    output: { paths: ["src/main.ts"], complete: true },
  },
  {
    name: "no match is an answer, not a failure",
    files,
    input: { pattern: "**/*.py" },
    output: { paths: [], complete: true, total: 0 },
  },
  { name: "a folder that does not exist", files, input: { pattern: "*.ts", path: "scr" }, fails: "not_found" },
]

/** Finds files by name pattern. */
export const glob = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/path-faces.js"),
})
