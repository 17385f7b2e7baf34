import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { editing, readAndWrite } from "../shared/editing.js"

export const manifest = defineManifest({
  id: "patch",
  title: "Patch file",
  description:
    "Applies a unified diff to one existing file, strictly: line numbers, counts and context must fit, all hunks or none. Does not create, rename or delete files. Use for several changes in one file.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Existing file"),
    diff: z.string().describe("Unified diff; lines before the first @@ are ignored"),
  }),
  output: outputSchema({
    file_path: z.string(),
    hunks: z.int().min(1),
    added: z.int().min(0).describe("Lines"),
    removed: z.int().min(0).describe("Lines"),
  }),
  operands: ["file_path", "diff"],
  toolset: "code",
  ...editing,
  effects: ({ file_path }) => readAndWrite(file_path),
})

/** Acknowledges the patch without repeating it. */
const present: Present<typeof manifest> = ({ file_path, hunks, added, removed }) => {
  const count = hunks === 1 ? "1 hunk" : `${hunks} hunks`
  return [text(`Patched ${file_path}: ${count}, ${added} added, ${removed} removed`)]
}

const messages: ToolMessages = {
  en: { title: "Patch file", loading: "Applying the patch", done: "Applied the patch" },
  "zh-CN": {
    title: "应用补丁",
    loading: "正在应用补丁",
    done: "已应用补丁",
    summary: "把统一格式的差异严格应用到一个现有文件，要么全部成功，要么不改",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two hunks",
    files: { "a.txt": "one\ntwo\nthree\nfour\nfive\n" },
    input: {
      file_path: "a.txt",
      diff: "@@ -1,2 +1,3 @@\n one\n+one and a half\n two\n@@ -4,2 +5,1 @@\n-four\n five\n",
    },
    output: { file_path: "a.txt", hunks: 2, added: 1, removed: 1 },
    after: { "a.txt": "one\none and a half\ntwo\nthree\nfive\n" },
  },
  {
    name: "lines before the first hunk are ignored, CRLF is kept",
    files: { "a.txt": "one\r\ntwo\r\n" },
    input: { file_path: "a.txt", diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n" },
    output: { hunks: 1, added: 1, removed: 1 },
    after: { "a.txt": "one\r\nthree\r\n" },
  },
  {
    name: "a context line that differs is a conflict",
    files: { "a.txt": "one\ntwo\n" },
    input: { file_path: "a.txt", diff: "@@ -1,2 +1,2 @@\n uno\n-two\n+three\n" },
    fails: "conflict",
    after: { "a.txt": "one\ntwo\n" },
  },
  {
    name: "a header that miscounts is refused",
    files: { "a.txt": "one\ntwo\n" },
    input: { file_path: "a.txt", diff: "@@ -1,3 +1,3 @@\n one\n-two\n+three\n" },
    fails: "invalid_args",
    after: { "a.txt": "one\ntwo\n" },
  },
]

/** Applies a unified diff to one file, strictly. */
export const patch = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../shared/preview/dry-run.js"),
  faces: () => import("../ui/change-faces.js"),
})
