import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `run_code` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "JavaScript",
    input: { code: "console.log(6 * 7)", language: "javascript" },
    output: { stdout: "42\n", stderr: "", exit_code: 0 },
  },
  {
    name: "code that fails is a result",
    input: { code: "process.exit(3)", language: "javascript" },
    output: { stdout: "", exit_code: 3 },
  },
  {
    name: "a shell",
    files: { "a.txt": "one\n" },
    input: { code: "cat a.txt", language: "shell" },
    output: { stdout: "one\n", exit_code: 0 },
  },
  {
    name: "running out of time is an error",
    input: { code: "sleep 30", language: "shell", timeout_ms: 200 },
    fails: "timeout",
  },
]
