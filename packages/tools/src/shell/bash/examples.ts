import type { Example } from "@haft/contract"
import type { manifest } from "./index.js"

/** Calls that show what `bash` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "both streams apart",
    input: { command: "echo out; echo problem >&2" },
    output: { stdout: "out\n", stderr: "problem\n", exit_code: 0, timed_out: false },
  },
  {
    name: "a failing command is a result",
    input: { command: "exit 7" },
    output: { stdout: "", stderr: "", exit_code: 7, timed_out: false },
  },
  {
    name: "a pipeline over files of the workspace",
    files: { "names.txt": "b\na\nb\n" },
    input: { command: "sort names.txt | uniq -c | wc -l | tr -d ' '" },
    output: { stdout: "2\n", exit_code: 0 },
  },
  {
    name: "a command that takes too long is ended",
    input: { command: "echo begun; sleep 30", timeout: 300 },
    output: { stdout: "begun\n", exit_code: null, timed_out: true },
  },
  { name: "a NUL character reaches no shell", input: { command: "echo a\0b" }, fails: "invalid_args" },
]
