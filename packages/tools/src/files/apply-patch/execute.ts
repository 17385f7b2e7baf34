import type { Execute } from "@haft/contract"
import { shownHunk } from "../shared/diff/shown-hunk.js"
import { changeCount, type FilePatch } from "./file-patch.js"
import type { manifest } from "./index.js"
import { makeChanges } from "./make-changes.js"
import { parsePatch } from "./parse-patch.js"
import { type ChangePlan, planChanges } from "./plan-changes.js"

/** Reads, checks and computes everything first; then changes the files, all or nothing. */
export const execute: Execute<typeof manifest> = async ({ patch }, { files, setState }) => {
  const patches = parsePatch(patch)
  const plan = await planChanges(patches, files)
  await makeChanges(plan.changes, files)
  setState({ files: shownFiles(patches, plan) })
  return {
    files: patches.map((file) => ({
      ...nameOf(file),
      hunks: changeCount(file),
      ...("note" in file && file.note !== undefined && { note: file.note }),
    })),
  }
}

function nameOf(file: FilePatch) {
  if (file.action !== "update" || file.to === undefined) return { path: file.path, action: file.action }
  return { path: file.to, action: "move" as const, from: file.path }
}

/** Hunks are drawn for people: beyond this number nobody looks. */
const maxShownHunks = 200

function shownFiles(patches: readonly FilePatch[], { hunks }: ChangePlan) {
  let left = maxShownHunks
  return patches.map((file) => {
    const shown = (hunks.get(file) ?? []).slice(0, left)
    left -= shown.length
    return { ...nameOf(file), hunks: shown.map(shownHunk) }
  })
}
