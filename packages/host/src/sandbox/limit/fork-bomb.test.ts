import { expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench } from "../testing/sandbox-bench.js"

const processes = 40

// Without a limit it would stop at 511 processes by itself, so that also a failing test leaves the machine alive.
const bomb = `
bomb() { if (($1 == 0)); then read -t 5 -u 9; else bomb $(($1 - 1)) & bomb $(($1 - 1)) & wait; fi; }
exec 9<> <(:)
bomb 8 2>/dev/null &
read -t 1 -u 9
set -- /proc/[0-9]*
echo $#
`

test.each(backendsHere)(
  "processes that multiply behind %s meet the limit, end with the command and harm nobody",
  async (backend) => {
    const bench = await makeSandboxBench({ backend, limits: { processes } })
    const { sandbox, stdout } = await bench.run(bomb)
    const { enforcedBy } = sandbox.isolation.limits
    const seen = Number(stdout.trim())
    // The kernel does not count the processes of user 0 for a resource limit.
    if (enforcedBy !== "rlimit" || process.getuid?.() !== 0) {
      expect(seen).toBeGreaterThan(processes / 4)
      expect(seen).toBeLessThanOrEqual(processes)
    }
    const after = await bench.run("echo alive")
    expect(after).toMatchObject({ code: 0, stdout: "alive\n" })
    await bench.close()
  },
)
