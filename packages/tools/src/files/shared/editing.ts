import type { NamedEffect } from "@haft/contract"

/** What the manifests of tools that change files have in common. */
export const editing = {
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
} as const

/** The effects of a change that depends on what is in the file. */
export function readAndWrite(path: string): readonly NamedEffect[] {
  return [
    { kind: "fs.read", path },
    { kind: "fs.write", path },
  ]
}
