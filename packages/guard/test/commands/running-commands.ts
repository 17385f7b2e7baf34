import type { CommandRow } from "./summary.js"

/** Interpreters and programs that are not known. */
export const runningCommands: readonly CommandRow[] = [
  ["python3 -c 'print(1)'", "opaque"],
  ["python3 a.py", "reads a.py; opaque"],
  ["node -e 1", "opaque"],
  ["perl -e 1", "opaque"],
  ["make -f other x", "opaque"],
  ["docker run x", "opaque"],
  ["./script.sh", "opaque"],
  ["/tmp/cat a", "opaque"],
  ["/bin/cat a", "reads a"],
  ["/usr/bin/env cat a", "reads a"],
  ["unknown-program a", "opaque"],
  ["vim a", "opaque"],
]
