import { createHash } from "node:crypto"
import { canonicalJson } from "@haft/contract"

/** Names one entry of a project file by its meaning, so that trust holds for exactly what a person saw. */
export function entryHash(scope: string, key: string, value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson([scope, key, value]))
    .digest("hex")
}
