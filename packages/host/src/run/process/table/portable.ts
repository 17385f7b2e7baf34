import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { ProcessTable, SeenProcess } from "./process-table.js"

const run = promisify(execFile)

/** Processes as `ps` lists them; without a way to see what another process inherited. */
export const portableTable: ProcessTable = {
  async descendants(root) {
    const rows = await listProcesses()
    const found = new Set([root])
    // Children may stand before their parents, so look again until nothing is added.
    for (let size = 0; size !== found.size; ) {
      size = found.size
      for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid)
    }
    return rows.filter(({ pid }) => found.has(pid)).map(seen)
  },
  async tagged({ root }) {
    return (await listProcesses()).filter(({ group }) => group === root).map(seen)
  },
  isAlive({ pid }) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM"
    }
  },
  isStopped: () => undefined,
  innerNumber: (pid) => ({ pid, depth: 0 }),
  runs: () => false,
}

interface Row {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

async function listProcesses(): Promise<readonly Row[]> {
  const { stdout } = await run("/bin/ps", ["-axo", "pid=,ppid=,pgid=,stat="]).catch(() => ({ stdout: "" }))
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/)
    if (!state || state.startsWith("Z")) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
  })
}

function seen({ pid }: Row): SeenProcess {
  return { pid, startedAt: "" }
}
