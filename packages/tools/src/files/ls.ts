import {
  type DirectoryEntry,
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type OutputOf,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

export const manifest = defineManifest({
  id: "ls",
  title: "List directory",
  description:
    "Lists one directory with types and sizes, not its subdirectories. Use to see what a folder holds; to find files by name use glob.",
  input: z.strictObject({ path: z.string().min(1).default(".").describe("Directory") }),
  output: outputSchema({
    entries: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["file", "directory", "link", "other"]),
        size: z.number().min(0).describe("Bytes"),
        mtime: z.string().describe("ISO 8601, UTC"),
      }),
    ),
    complete: z.boolean().describe("False when there are more entries than these"),
    denied: z.int().min(1).optional().describe("Entries left out because a rule denies reading them"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  operands: ["path"],
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "entries" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
})

/** Lists up to ten times the limit: the runtime shows the first part and keeps the rest in a file. */
const execute: Execute<typeof manifest> = async ({ path }, { files, limit }) => {
  const listing = await files.list(path, { maxEntries: 10 * limit })
  return {
    entries: listing.entries.map(({ name, type, size, mtimeMs }: DirectoryEntry) => ({
      name,
      type,
      size,
      mtime: isoTime(mtimeMs),
    })),
    complete: listing.complete,
    ...(listing.denied > 0 && { denied: listing.denied }),
  }
}

// The last instant that a Date can hold; file systems store times beyond it, and toISOString throws on them.
const lastInstantMs = 8.64e15

function isoTime(mtimeMs: number): string {
  const bounded = Math.min(Math.max(Number.isNaN(mtimeMs) ? 0 : mtimeMs, -lastInstantMs), lastInstantMs)
  return new Date(bounded).toISOString()
}

/** One entry a line: directories end in `/`, links in `@`, files carry their size. */
const present: Present<typeof manifest> = ({ entries, complete, denied }) => {
  const lines = entries.map(entryLine)
  const notes = [
    entries.length === 0 ? "No entries" : `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`,
    ...(complete ? [] : ["there are more; use glob with a narrower pattern"]),
    ...(denied === undefined ? [] : [`${denied} left out by rules`]),
  ]
  return [text([...lines, `[${notes.join("; ")}]`].join("\n"))]
}

function entryLine({ name, type, size }: OutputOf<typeof manifest>["entries"][number]): string {
  const shown = oneLine(name)
  if (type === "directory") return `${shown}/`
  if (type === "link") return `${shown}@`
  return type === "file" ? `${shown}\t${size}` : `${shown}\t(not a regular file)`
}

// A name may hold line breaks, which would look like further entries.
function oneLine(name: string): string {
  return /[\n\r\t]/.test(name) ? JSON.stringify(name) : name
}

const messages: ToolMessages = {
  en: { title: "List directory", loading: "Listing the directory", done: "Listed the directory" },
  "zh-CN": {
    title: "列出目录",
    loading: "正在列出目录",
    done: "已列出目录",
    summary: "列出一个文件夹的内容，含类型和大小，不含子文件夹",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the working directory",
    files: { "README.md": "# Demo\n", "src/main.ts": "export {}\n" },
    input: {},
    output: { complete: true },
  },
  {
    name: "a folder with one file",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "src" },
    output: { complete: true },
  },
  {
    name: "a folder that does not exist",
    files: { "src/main.ts": "export {}\n" },
    input: { path: "scr" },
    fails: "not_found",
  },
  { name: "a file is no folder", files: { "a.txt": "a" }, input: { path: "a.txt" }, fails: "unsupported" },
]

/** Lists one directory. */
export const ls = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("./ui/list-faces.js"),
})
