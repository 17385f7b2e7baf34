import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

// Few machines besides Windows have PowerShell: what an example may promise everywhere is a refusal before the start.
const nul = "a\0b"

/** Calls that show what `powershell` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a NUL character reaches no shell", input: { command: `Write-Output ${nul}` }, fails: "invalid_args" },
  {
    name: "half of a character reaches no shell",
    input: { command: "Write-Output \ud800" },
    fails: "invalid_args",
  },
  {
    name: "more text than a system takes",
    input: { command: `Write-Output ${"x".repeat(200_000)}`, description: "Print a long word" },
    fails: "too_large",
  },
]
