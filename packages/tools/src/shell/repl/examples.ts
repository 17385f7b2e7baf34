import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `repl` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a calculation in Python",
    input: { language: "python", code: "print(sum(range(11)))" },
    output: { stdout: "55\n", exit_code: 0, timed_out: false },
  },
  {
    name: "a line of JavaScript",
    input: { language: "javascript", code: "console.log([3, 1, 2].sort().join())" },
    output: { stdout: "1,2,3\n", exit_code: 0 },
  },
  {
    name: "a line of shell",
    input: { language: "shell", code: "name=world; echo hello $name" },
    output: { stdout: "hello world\n", exit_code: 0 },
  },
  {
    name: "code that raises is a result",
    input: { language: "python", code: "raise ValueError('no')" },
    output: { stdout: "", exit_code: 1, timed_out: false },
  },
]
