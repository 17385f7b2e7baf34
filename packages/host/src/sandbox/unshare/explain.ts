import type { EndOfSandbox } from "../backend.js"
import { relayFailed } from "../inside-command.js"

/** The last step before the command writes that it was reached; without it the sandbox did not stand. */
export function explainUnshare({ stderrTail, exitCode, status }: EndOfSandbox): string | undefined {
  if (exitCode === null || status.includes("started")) return undefined
  if (exitCode === 125 && stderrTail.includes(relayFailed)) return relayFailed
  const lines = stderrTail.trim().split("\n")
  const own = lines.findLast((line) => line.startsWith("haft-sandbox: "))?.slice("haft-sandbox: ".length)
  const cause = lines.findLast((line) => /^(unshare|setpriv|setsid|mount|umount|pivot_root|sh|\/bin\/sh):/.test(line))
  return [own, cause].filter(Boolean).join("; ") || `it ended with ${exitCode} before the command was started`
}
