import type { EndOfSandbox } from "../backend.js"

/** sandbox-exec answers with 64 to 78 when it does not understand the profile or cannot start the program. */
export function explainSeatbelt({ stderrTail, exitCode }: EndOfSandbox): string | undefined {
  if (exitCode === null || exitCode < 64 || exitCode > 78) return undefined
  const line = stderrTail.split("\n").findLast((text) => text.startsWith("sandbox-exec: "))
  return line?.slice("sandbox-exec: ".length).trim()
}
