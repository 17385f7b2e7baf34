import { defineManifest, type NamedEffect, ToolError } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import type { FilePatch } from "./file-patch.js"
import { parsePatch } from "./parse-patch.js"

const maxPatchLength = 10_000_000

/** What is known about `apply_patch` without running it. */
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
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  toolset: "code",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 60_000,
  effects: ({ patch }) => filesIn(patch).flatMap(effectsOf),
})

/** What cannot be read is said to whoever wrote it; nobody is asked to allow a patch that names no file. */
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
