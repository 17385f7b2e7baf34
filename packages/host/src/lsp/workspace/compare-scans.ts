import type { WorkspaceScan } from "./scan-workspace.js"

/** How a file differs from what a server knows; the numbers are those of the protocol. */
export interface FileChange {
  readonly path: string
  readonly type: 1 | 2 | 3
}

/** What happened in a workspace between two scans. */
export type WorkspaceChanges =
  | { readonly kind: "changes"; readonly files: readonly FileChange[] }
  /** The server must start anew, for this reason. */
  | { readonly kind: "restart"; readonly reason: string }

// Above this, for instance after a change of branch, a fresh start is surer and not slower.
const maxChanges = 2000

/** Compares what a server knows with what is there now. */
export function compareScans(before: WorkspaceScan, after: WorkspaceScan): WorkspaceChanges {
  for (const [path, identity] of after.denied) {
    // A file that was replaced has lost its cover, and one that is denied only now never had any.
    if (before.denied.get(path) !== identity) return { kind: "restart", reason: "the rules or a covered file changed" }
  }
  if (before.dependencies !== after.dependencies) return { kind: "restart", reason: "installed packages changed" }
  const files: FileChange[] = []
  for (const [path, stamp] of after.stamps) {
    const known = before.stamps.get(path)
    if (known === undefined) files.push({ path, type: 1 })
    else if (known !== stamp) files.push({ path, type: 2 })
  }
  for (const path of before.stamps.keys()) if (!after.stamps.has(path)) files.push({ path, type: 3 })
  return files.length > maxChanges ? { kind: "restart", reason: "very many files changed" } : { kind: "changes", files }
}
