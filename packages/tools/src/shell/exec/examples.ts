import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `exec` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "arguments are not interpreted",
    input: { command: "echo", args: ["$HOME; *", "two"] },
    output: { stdout: "$HOME; * two\n", stderr: "", exit_code: 0 },
  },
  { name: "another exit code is a result", input: { command: "false" }, output: { exit_code: 1, stdout: "" } },
  {
    name: "in a folder of the workspace",
    files: { "src/a.txt": "" },
    input: { command: "ls", cwd: "src" },
    output: { stdout: "a.txt\n", exit_code: 0 },
  },
  {
    name: "a program that does not exist",
    input: { command: "no-such-program-anywhere" },
    fails: "not_found",
  },
]
