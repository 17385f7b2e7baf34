import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { isAlive, type ProcessIdentity } from "../../../lock/process-identity.js"
import type { ProcessTable } from "./process-table.js"

const run = promisify(execFile)

/** Processes as `ps` lists them; without a way to see what another process inherited. */
export const portableTable: ProcessTable = {
  async descendants(root) {
    const rows = await listProcesses()
    const found = new Set([root])
    // Children may be before their parents, so look again until nothing is added.
    for (let size = 0; size !== found.size; ) {
      size = found.size
      for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid)
    }
    return rows.filter(({ pid }) => found.has(pid)).map(seen)
  },
  async tagged({ root }) {
    return (await listProcesses()).filter(({ group }) => group === root).map(seen)
  },
  isAlive: ({ pid }) => isAlive(pid),
  isStopped: () => undefined,
  innerNumber: (pid) => ({ pid, depth: 0 }),
  runs: () => false,
}

interface Row {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

// Without `ps` no process is known but the one that was started.
const nobody = () => ({ stdout: "" })

async function listProcesses(): Promise<readonly Row[]> {
  const { stdout } = await run("/bin/ps", ["-axo", "pid=,ppid=,pgid=,stat="]).catch(nobody)
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/)
    if (!state || state.startsWith("Z")) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
  })
}

function seen({ pid }: Row): ProcessIdentity {
  return { pid, startedAt: "" }
}
