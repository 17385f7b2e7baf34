import {
  defineManifest,
  defineTool,
  type Example,
  type NamedEffect,
  type OutputOf,
  type Present,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { editing } from "../shared/editing.js"
import type { FilePatch } from "./file-patch.js"
import { parsePatch } from "./parse-patch.js"

const maxPatchLength = 10_000_000

export const manifest = defineManifest({
  id: "apply_patch",
  title: "Apply patch",
  description:
    "Adds, updates, moves and deletes files, all or nothing. Strict: every line must fit. Use for changes to several files.",
  input: z.strictObject({
    patch: z
      .string()
      .min(1)
      .max(maxPatchLength)
      .superRefine(checkPatch)
      .describe("Unified diff, or *** Begin Patch ... *** End Patch"),
  }),
  output: outputSchema({
    files: z.array(
      z.strictObject({
        path: z.string(),
        action: z.enum(["add", "update", "delete", "move"]),
        hunks: z.int().min(0),
        from: z.string().optional().describe("Former path of a moved file"),
        note: z.string().optional(),
      }),
    ),
  }),
  operands: ["patch"],
  toolset: "code",
  ...editing,
  timeoutMs: 60_000,
  effects: ({ patch }) => filesIn(patch).flatMap(effectsOf),
})

/** A patch that cannot be read is refused; no person is asked to allow a patch that names no file. */
function checkPatch(patch: string, { addIssue }: { addIssue(issue: { code: "custom"; message: string }): void }): void {
  if (patch === "" || patch.length > maxPatchLength) return
  try {
    parsePatch(patch)
  } catch (error) {
    if (!ToolError.is(error)) throw error
    // A patch that is right and asks for what is not supported fails in the call, with that code.
    if (error.code !== "invalid_args") return
    addIssue({ code: "custom", message: [error.message, error.hint].filter(Boolean).join("; ") })
  }
}

/** A patch that cannot be read names nothing. */
function filesIn(patch: string): readonly FilePatch[] {
  try {
    return parsePatch(patch)
  } catch {
    return []
  }
}

function effectsOf(file: FilePatch): readonly NamedEffect[] {
  const { path } = file
  if (file.action === "add") return [{ kind: "fs.write", path }]
  if (file.action === "delete" || file.to !== undefined) {
    const gone: NamedEffect[] = [
      { kind: "fs.read", path },
      { kind: "fs.delete", path },
    ]
    if (file.action === "delete") return gone
    return [...gone, { kind: "fs.read", path: file.to! }, { kind: "fs.write", path: file.to! }]
  }
  return [
    { kind: "fs.read", path },
    { kind: "fs.write", path },
  ]
}

/** One line a file, without repeating the patch. */
const present: Present<typeof manifest> = ({ files }) => {
  const count = files.length === 1 ? "1 file" : `${files.length} files`
  return [text([`Applied the patch to ${count}`, ...files.map(lineOf)].join("\n"))]
}

function lineOf({ path, action, hunks, from, note }: OutputOf<typeof manifest>["files"][number]): string {
  const name = from === undefined ? path : `${from} -> ${path}`
  const count =
    action === "update" || (action === "move" && hunks > 0) ? `, ${hunks} ${hunks === 1 ? "hunk" : "hunks"}` : ""
  return `${action} ${onOneLine(name)}${count}${note === undefined ? "" : ` (${note})`}`
}

function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}

const messages: ToolMessages = {
  en: { title: "Apply patch", loading: "Applying the patch", done: "Applied the patch" },
  "zh-CN": {
    title: "应用多文件补丁",
    loading: "正在应用多文件补丁",
    done: "已应用多文件补丁",
    summary: "一次新增、更新、移动和删除多个文件，要么全部成功，要么不改",
  },
}

const files = { "a.txt": "one\ntwo\nthree\n", "old.txt": "gone\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a unified diff that changes one file and adds another",
    files,
    input: {
      patch:
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+fresh\n",
    },
    output: {
      files: [
        { path: "a.txt", action: "update", hunks: 1 },
        { path: "new/b.txt", action: "add", hunks: 1 },
      ],
    },
    after: { "a.txt": "one\n2\nthree\n", "new/b.txt": "fresh\n" },
  },
  {
    name: "the Begin Patch form: update with a move, and delete",
    files,
    input: {
      patch:
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: moved/a.txt\n@@ one\n-two\n+2\n three\n*** Delete File: old.txt\n*** End Patch\n",
    },
    output: {
      files: [
        { path: "moved/a.txt", action: "move", from: "a.txt", hunks: 1 },
        { path: "old.txt", action: "delete", hunks: 0 },
      ],
    },
    after: { "a.txt": null, "moved/a.txt": "one\n2\nthree\n", "old.txt": null },
  },
  {
    name: "one hunk that does not fit, and no file is changed",
    files,
    input: {
      patch:
        "*** Begin Patch\n*** Add File: b.txt\n+fresh\n*** Update File: a.txt\n@@\n one\n-zwei\n+2\n*** End Patch\n",
    },
    fails: "conflict",
    after: { "a.txt": "one\ntwo\nthree\n", "b.txt": null },
  },
]

/** Applies a patch to many files, all or nothing. */
export const applyPatch = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  preview: () => import("../shared/preview/dry-run.js"),
  faces: () => import("../ui/change-faces.js"),
})
