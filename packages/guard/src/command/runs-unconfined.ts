import type { CommandAnalysis } from "./command-analysis.js"

/**
 * Whether the user's configuration lists a command as one that runs outside the sandbox. Only a single plain command
 * counts: whatever else stands on the line would leave the sandbox with it.
 */
export function runsUnconfined({ parsed, parts }: CommandAnalysis, beginnings: readonly string[]): boolean {
  const [only, ...more] = parts
  if (!parsed || only === undefined || more.length > 0) return false
  if (!only.plain || only.wrappers.length > 0 || only.unresolved.length > 0 || only.redirected) return false
  return beginnings.some((beginning) => startsWith(only.argv, beginning.split(/\s+/).filter(Boolean)))
}

function startsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word, index) => argv[index] === word)
}
