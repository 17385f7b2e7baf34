import { hash } from "node:crypto"
import { canonicalJson } from "@haft/contract"

/** SHA-256 of a value, the same whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return hash("sha256", canonicalJson(value))
}
