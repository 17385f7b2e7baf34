import { randomBytes } from "node:crypto"

/** The name of the variable by which processes are recognised that left their parent, group and session. */
export const tagName = "HAFT_CALL"

/** The same beginning for all trees of this Haft, so that one watcher can find them all. */
export const tagPrefix = randomBytes(9).toString("base64url")

let count = 0

/** A value that no other process tree on this machine carries. */
export function nextProcessTag(): string {
  count += 1
  return `${tagPrefix}.${count}`
}
