import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

// The machine of these examples must be installed: haft box image build debian-12
const image = "debian-12"

/** Calls that show what `box` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "look around in the machine",
    input: { command: 'python3 -c \'import os; print("proc" in os.listdir("/"))\'', image },
    output: { stdout: "True\n", exit_code: 0, timed_out: false },
  },
  {
    name: "run with injected files",
    input: {
      command: "python3 /sandbox/script.py",
      image,
      files: { "/sandbox/script.py": "print('hello from sandbox')" },
    },
    output: { stdout: "hello from sandbox\n", exit_code: 0, timed_out: false },
  },
  {
    name: "a failing command is a result",
    input: { command: "echo problem >&2; exit 7", image },
    output: { stdout: "", stderr: "problem\n", exit_code: 7 },
  },
  {
    name: "an image that is not installed is refused",
    input: { command: "true", image: "not-installed" },
    fails: "not_configured",
  },
]
