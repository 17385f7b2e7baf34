import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Acknowledges the patch without repeating it. */
export const present: Present<typeof manifest> = ({ file_path, hunks, added, removed }) => {
  const count = hunks === 1 ? "1 hunk" : `${hunks} hunks`
  return [text(`Patched ${file_path}: ${count}, ${added} added, ${removed} removed`)]
}
