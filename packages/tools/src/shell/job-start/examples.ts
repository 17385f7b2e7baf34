import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `job_start` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "a command that goes on", input: { command: "sleep 60" }, output: { state: "running" } },
  {
    name: "a server that prints when it is up",
    input: { command: "sleep 0.2; echo listening; sleep 60" },
    output: { state: "running" },
  },
  { name: "a NUL character reaches no shell", input: { command: "echo a\0b" }, fails: "invalid_args" },
]
