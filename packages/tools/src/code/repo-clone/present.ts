import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Where the copy is and which commit it shows. */
export const present: Present<typeof manifest> = ({ path, commit, branch, isolation }) => {
  const place =
    commit === null ? "an empty repository" : `commit ${commit.slice(0, 9)}${branch === null ? "" : ` of ${branch}`}`
  const note = isolation?.level === "none" ? " [ran outside the sandbox]" : ""
  return [text(`Cloned into ${path}: ${place}${note}`)]
}
