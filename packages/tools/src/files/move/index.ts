import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

export const manifest = defineManifest({
  id: "move",
  title: "Move files",
  description:
    "Moves or renames files and folders in order, all or none. Makes parents, never overwrites. Use instead of mv.",
  input: z.strictObject({
    moves: z
      .array(
        z.strictObject({
          from: z.string().min(1),
          to: z.string().min(1),
        }),
      )
      .min(1)
      .max(100),
  }),
  output: outputSchema({
    moved: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  toolset: "code",
  kind: "move",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 60_000,
  effects: ({ moves }) =>
    moves.flatMap(({ from, to }) => [
      { kind: "fs.read", path: from },
      { kind: "fs.delete", path: from },
      { kind: "fs.write", path: to },
    ]),
})

/** One line a move. */
const present: Present<typeof manifest> = ({ moved }) => [
  text(moved.map(({ from, to }) => `Moved ${onOneLine(from)} to ${onOneLine(to)}`).join("\n")),
]

function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}

const messages: ToolMessages = {
  en: { title: "Move files", loading: "Moving files", done: "Moved files" },
  "zh-CN": {
    title: "移动文件",
    loading: "正在移动文件",
    done: "已移动文件",
    summary: "按顺序移动或重命名文件和文件夹，从不覆盖，要么全部成功，要么不动",
  },
}

const files = { "a.txt": "a\n", "b.txt": "b\n", "src/one.ts": "1\n", "src/deep/two.ts": "2\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a file into a new folder",
    files,
    input: { moves: [{ from: "a.txt", to: "notes/a.txt" }] },
    output: { moved: [{ from: "a.txt", to: "notes/a.txt" }] },
    after: { "a.txt": null, "notes/a.txt": "a\n" },
  },
  {
    name: "a folder with everything in it",
    files,
    input: { moves: [{ from: "src", to: "lib" }] },
    output: { moved: [{ from: "src", to: "lib" }] },
    after: { "src/one.ts": null, "lib/one.ts": "1\n", "lib/deep/two.ts": "2\n" },
  },
  {
    name: "two files change places over a third name",
    files,
    input: {
      moves: [
        { from: "a.txt", to: "c.txt" },
        { from: "b.txt", to: "a.txt" },
        { from: "c.txt", to: "b.txt" },
      ],
    },
    output: {
      moved: [
        { from: "a.txt", to: "c.txt" },
        { from: "b.txt", to: "a.txt" },
        { from: "c.txt", to: "b.txt" },
      ],
    },
    after: { "a.txt": "b\n", "b.txt": "a\n", "c.txt": null },
  },
  {
    name: "nothing is overwritten, and nothing is moved",
    files,
    input: {
      moves: [
        { from: "src", to: "lib" },
        { from: "a.txt", to: "b.txt" },
      ],
    },
    fails: "conflict",
    after: { "a.txt": "a\n", "b.txt": "b\n", "src/one.ts": "1\n" },
  },
]

/** Moves files and folders, all or none. */
export const move = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../shared/preview/dry-run.js"),
  faces: () => import("../ui/move-faces.js"),
})
