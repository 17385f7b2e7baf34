import type { CommandAnalysis } from "./command-analysis.js"

/** Whether every command of a line is understood and only reads, so that it can run behind the sandbox `read-only`. */
export function isWriteFree({ parsed, parts }: CommandAnalysis): boolean {
  return (
    parsed &&
    parts.every(
      ({ opaque, readOnly, writes, deletes, hosts }) =>
        !opaque && readOnly && writes.length === 0 && deletes.length === 0 && hosts.length === 0,
    )
  )
}
