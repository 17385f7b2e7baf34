import type { EndOfSandbox } from "../backend.js"
import { relayFailed } from "../inside-command.js"

/** bubblewrap tells the exit code of the command only after it got as far as starting it. */
export function explainBwrap({ stderrTail, exitCode, status, relayStands }: EndOfSandbox): string | undefined {
  if (!relayStands && exitCode === 125 && stderrTail.includes(relayFailed)) return relayFailed
  if (exitCode === null || status.includes('"exit-code"')) return undefined
  const line = stderrTail.split("\n").findLast((text) => text.startsWith("bwrap: "))
  if (line === undefined) return undefined
  const reason = line.slice("bwrap: ".length).trim()
  return reason.startsWith("execvp ") ? undefined : reason
}
