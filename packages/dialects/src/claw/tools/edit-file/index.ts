import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "edit_file",
  title: "Edit file",
  description:
    "Replaces text in an existing file and keeps what the file was before beside the result; all other bytes stay. old_string must occur once unless replace_all. Use to revise.",
  input: z.strictObject({
    path: z.string().min(1).describe("Existing file"),
    old_string: z.string().min(1).describe("Text to replace"),
    new_string: z.string().describe("Text to put there"),
    replace_all: z.boolean().default(false).describe("Replace every occurrence"),
  }),
  output: outputSchema({
    path: z.string().describe("Absolute, links followed"),
    replacements: z.int().min(1),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 10 * 1024 * 1024, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ path }) => [
    { kind: "fs.read", path },
    { kind: "fs.write", path },
  ],
  judgedLike: "edit",
})

/** Acknowledges the edit; no text of the file is repeated. */
const present: Present<typeof manifest> = ({ path, replacements }) => [
  text(`Edited ${path}: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}`),
]

const messages: ToolMessages = {
  en: { title: "Edit file", loading: "Editing the file", done: "Edited the file" },
  "zh-CN": { title: "编辑文件", loading: "正在编辑文件", done: "已编辑文件" },
}

const files = { "a.txt": "red\nblue\nred\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one place",
    files,
    input: { path: "a.txt", old_string: "blue", new_string: "b" },
    output: { replacements: 1 },
    after: { "a.txt": "red\nb\nred\n" },
  },
  {
    name: "every place",
    files,
    input: { path: "a.txt", old_string: "red", new_string: "r", replace_all: true },
    output: { replacements: 2 },
    after: { "a.txt": "r\nblue\nr\n" },
  },
  {
    name: "several places without being told so",
    files,
    input: { path: "a.txt", old_string: "red", new_string: "r" },
    fails: "conflict",
    after: { "a.txt": "red\nblue\nred\n" },
  },
  {
    name: "a text that is not there",
    files,
    input: { path: "a.txt", old_string: "green", new_string: "g" },
    fails: "conflict",
  },
]

/** Replaces text in a file and keeps what the file was before beside the result. */
export const editFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
  faces: () => import("@haft/tools/files/ui/change-faces.js"),
})
