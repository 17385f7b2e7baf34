import { type Argument, type Findings, literal } from "../findings.js"
import type { ReadProgram } from "../program.js"

/**
 * git commands that change the repository or the working tree. All of them can run hooks or filters, so they are
 * opaque; the files that they name count as well.
 */
export const gitWriters: Readonly<Record<string, ReadProgram>> = {
  add: files("read"),
  am: nothing,
  apply: files("read"),
  bisect: nothing,
  checkout: afterDashes,
  "cherry-pick": nothing,
  clean: (_words, findings) => findings.delete(literal(".")),
  commit: nothing,
  "format-patch": (_words, findings) => {
    findings.gitContent = { shows: "everything" }
  },
  gc: nothing,
  init: (words, findings) => {
    const folder = words.findLast((word) => !word.text.startsWith("-"))
    findings.write(literal(folder ? `${folder.text}/.git` : ".git"))
    findings.write(literal(folder ? `${folder.text}/.git/config` : ".git/config"))
  },
  merge: nothing,
  mv: (words, findings) => {
    const [from, to] = words.filter((word) => !word.text.startsWith("-"))
    if (from) findings.delete(from)
    if (to) findings.write(to)
  },
  prune: nothing,
  rebase: nothing,
  reset: nothing,
  restore: files("write"),
  revert: nothing,
  rm: files("delete"),
  stage: files("read"),
  switch: nothing,
  "update-index": nothing,
  "update-ref": nothing,
}

function nothing(): void {}

function files(effect: "read" | "write" | "delete"): ReadProgram {
  return (words, findings) => {
    for (const word of words) if (!word.text.startsWith("-")) findings[effect](word)
  }
}

/** `git checkout` names files only behind two dashes. */
function afterDashes(words: readonly Argument[], findings: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--")
  if (dashes >= 0) for (const word of words.slice(dashes + 1)) findings.write(word)
}
