import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { onOneLine, pathsOutput, readsBelow, searching, skippedNotes } from "../shared.js"

export const manifest = defineManifest({
  id: "find_files",
  title: "Find files by name",
  description:
    "Finds files by part of their name, type or date; does not look inside them. Use when the name is only partly known; for patterns use glob.",
  input: z.strictObject({
    query: z.string().optional().describe("Part of the name"),
    path: z.string().min(1).optional(),
    types: z.array(z.string().min(1)).max(50).optional().describe("Extensions"),
    modified_after: z.string().optional().describe("ISO date"),
    modified_before: z.string().optional(),
    sort: z.enum(["name", "date", "size"]).default("name"),
    limit: z.int().min(1).max(1000).default(100),
  }),
  output: pathsOutput("files"),
  operands: ["query", "path"],
  toolset: "code",
  ...searching,
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "paths" },
  effects: ({ path }) => readsBelow(path),
})

/** One path a line, then how many there are and whether that is all. */
const present: Present<typeof manifest> = (output, { query = "" }) => {
  const { paths, complete, total } = output
  const count = (number: number) => `${number} ${number === 1 ? "file" : "files"}`
  const shown =
    total === undefined || total === paths.length ? count(paths.length) : `${paths.length} of ${count(total)}`
  const notes = [
    paths.length === 0 ? "No file fits" : shown,
    ...(paths.length === 0 && /[*?]/.test(query) ? ["names are plain text here, * and ? are no wildcards"] : []),
    ...(output.timed_out ? ["timed out; narrow path or query"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; raise limit or narrow the search"]),
    ...skippedNotes(output.skipped),
  ]
  return [text([...paths.map(onOneLine), `[${notes.join("; ")}]`].join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Find files by name", loading: "Looking for files", done: "Looked for files" },
  "zh-CN": {
    title: "按名称查找文件",
    loading: "正在按名称查找文件",
    done: "已按名称查找文件",
    summary: "按名称的一部分、类型或日期查找文件，不看文件内容",
  },
}

const files = {
  "README.md": "# Demo\n",
  "src/UserList.tsx": "export {}\n",
  "src/user.ts": "export const name = 'a longer file'\n",
  "src/deep/main.ts": "",
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a part of the name in any case",
    files,
    input: { query: "user" },
    output: { paths: ["src/UserList.tsx", "src/user.ts"], complete: true, total: 2 },
  },
  {
    name: "by type, the largest first",
    files,
    input: { types: ["ts", ".tsx"], sort: "size", limit: 2 },
    output: { paths: ["src/user.ts", "src/UserList.tsx"], complete: false, total: 3 },
  },
  {
    name: "ignored files are left out, and no match is an answer",
    files: { ...files, ".gitignore": "src/\n" },
    input: { query: "user" },
    output: { paths: [], complete: true, total: 0 },
  },
  { name: "a date that is none", files, input: { modified_after: "yesterday" }, fails: "invalid_args" },
]

/** Finds files by name, type and date. */
export const findFiles = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/path-faces.js"),
})
