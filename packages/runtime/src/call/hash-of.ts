import { hash } from "node:crypto"
import { canonicalJson } from "@haft/contract"

/** The digest that a saved answer keeps: the answer holds while the script has this text. */
export function digestOf(text: string): string {
  return `sha256:${hash("sha256", text)}`
}

/** SHA-256 of a value, the same whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return hash("sha256", canonicalJson(value))
}
