import { sha256 } from "./sha256.js"

/** The digest that a saved answer keeps: the answer holds while the recipe has this text. */
export function recipeDigest(text: string): string {
  return `sha256:${sha256(text)}`
}
