import type { Argument, Findings } from "../findings.js"

/** `git worktree add`, `move` and `remove`: the folders that they make and remove. */
export function changeWorktree([verb, ...words]: readonly Argument[], findings: Findings): void {
  const [first, second] = operands(words)
  switch (verb?.text) {
    case "add":
      if (first) findings.write(first)
      break
    case "move":
      if (first) findings.delete(first)
      if (second) findings.write(second)
      break
    case "remove":
      if (first) findings.delete(first)
      break
  }
}

const withValue = new Set(["-b", "-B", "--reason"])

function operands(words: readonly Argument[]): readonly Argument[] {
  return words.filter(({ text }, index) => !text.startsWith("-") && !withValue.has(words[index - 1]?.text ?? ""))
}
