import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `powershell_start` promises; few machines besides Windows have PowerShell. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a NUL character reaches no shell", input: { command: "Write-Output a\0b" }, fails: "invalid_args" },
  { name: "half of a character reaches no shell", input: { command: "Write-Output \ud800" }, fails: "invalid_args" },
  {
    name: "more text than a system takes",
    input: { command: `Write-Output ${"x".repeat(200_000)}` },
    fails: "too_large",
  },
]
