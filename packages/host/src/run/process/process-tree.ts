import type { Teardown } from "@haft/contract"
import { relaySource } from "../../proxy/relay-source.js"
import { type CallCgroup, createCallCgroup } from "./call-cgroup.js"
import { tagName } from "./process-tag.js"
import { processTable, type SeenProcess } from "./table/index.js"

/** All processes that came from one start, also those that left their parent, group and session. */
export interface ProcessTree {
  /** Looks who is there, so that children are known when their parent has gone. */
  look(): Promise<void>
  /** Sends a signal to every process of the program, not to those that hold the sandbox. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** Stops every process of the program where it stands; the answer lets those that ran go on. */
  freeze(): Promise<() => void>
  /** Ends whatever is left without asking: nothing of the program gets to do anything more. */
  kill(): Promise<Teardown>
  /** Ends whatever is left: politely at first, then for certain. Settles when all are gone. */
  end(): Promise<Teardown>
}

/** What a tree grows from. */
export interface TreeOptions {
  readonly pid: number
  readonly tag: string
  /** Behind a sandbox with its own process namespace, which dies as a whole with its first process. */
  readonly confined: boolean
}

// A process may clean up after itself for so long; the whole tree is to be dead 50 ms (confined) or 100 ms
// (unconfined) after the deadline.
const graceMs = { confined: 15, unconfined: 40 } as const
// Long after every process that can be ended has ended: only one stuck inside the kernel is left then.
const hopelessMs = 2000
// Stopping takes microseconds, except for a process that waits for a disk.
const stopMs = 20
// A program that starts processes faster than they can be stopped is ended soon after, or goes on.
const mostLooks = 20

/** Knows a process from its start on. */
export function createProcessTree({ pid, tag, confined }: TreeOptions): ProcessTree {
  const variable = `${tagName}=${tag}`
  const sinceMs = performance.now()
  let cgroup = confined ? undefined : createCallCgroup(pid)
  const known = new Map<number, SeenProcess>()
  const remember = (seen: readonly SeenProcess[]) => {
    for (const process of seen) known.set(process.pid, process)
  }

  const living = async (): Promise<readonly SeenProcess[]> => {
    remember(await processTable.descendants(pid))
    remember(await membersOf(cgroup))
    remember(await processTable.tagged({ root: pid, variable, sinceMs }))
    for (const process of known.values()) if (!processTable.isAlive(process)) known.delete(process.pid)
    return [...known.values()]
  }
  const program = (all: readonly SeenProcess[]) => (confined ? all.filter(({ pid }) => !holdsSandbox(pid)) : all)
  const goneWithin = async (limitMs: number): Promise<boolean> => {
    const start = performance.now()
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 8)) {
      if ((await living()).length === 0) return true
      const leftMs = limitMs - (performance.now() - start)
      if (leftMs <= 0) return false
      await pause(Math.min(pauseMs, leftMs))
    }
  }

  const killAll = async (isGone: boolean): Promise<void> => {
    const start = performance.now()
    for (let gone = isGone; !gone && performance.now() - start < hopelessMs; gone = await goneWithin(10)) {
      cgroup?.kill()
      send(await living(), "SIGKILL")
    }
    // Given back once: it may soon hold the processes of another start.
    void cgroup?.remove()
    cgroup = undefined
  }

  return {
    async look() {
      remember(await processTable.descendants(pid))
    },
    async signal(signal) {
      send(program(await living()), signal)
    },
    async freeze() {
      const stopped = new Map<number, SeenProcess>()
      // What a process starts before it is stopped is found by the next look.
      for (let round = 0, found = true; found && round < mostLooks; round += 1) {
        const running = program(await living()).filter(({ pid }) => !stopped.has(pid) && !processTable.isStopped(pid))
        found = running.length > 0
        for (const process of running) {
          send([process], "SIGSTOP")
          // A shell tells its user of a child that it sees stopped, and takes the terminal back: it stands still first.
          await standsStill(process)
          stopped.set(process.pid, process)
        }
      }
      // For the same reason a child goes on before the one that started it.
      return () => send([...stopped.values()].reverse(), "SIGCONT")
    },
    async kill() {
      const all = await living()
      await killAll(all.length === 0)
      return { ended: program(all).length, survivors: [...known.keys()] }
    },
    async end() {
      const all = await living()
      const asked = program(all)
      send(asked, "SIGTERM")
      let gone = all.length === 0
      // What holds the sandbox has nothing to clean up and is not asked.
      if (asked.length > 0) gone = await goneWithin(confined ? graceMs.confined : graceMs.unconfined)
      await killAll(gone)
      return { ended: asked.length, survivors: [...known.keys()] }
    },
  }
}

async function membersOf(cgroup: CallCgroup | undefined): Promise<readonly SeenProcess[]> {
  const numbers = cgroup?.members() ?? []
  const found = await Promise.all(numbers.map(async (pid) => await processTable.descendants(pid)))
  return found.flat()
}

/** The launcher outside the namespace, the first process inside it and the relay to the network are parts of the sandbox. */
function holdsSandbox(pid: number): boolean {
  const inner = processTable.innerNumber(pid)
  if (inner === undefined) return false
  return inner.depth === 0 || inner.pid === 1 || processTable.runs(pid, relaySource)
}

/** Waits until a process that was told to stop has stopped, though not for one that is busy inside the kernel. */
async function standsStill(seen: SeenProcess): Promise<void> {
  const start = performance.now()
  while (processTable.isStopped(seen.pid) === false && processTable.isAlive(seen)) {
    if (performance.now() - start > stopMs) return
    await pause(0)
  }
}

function send(processes: readonly SeenProcess[], signal: NodeJS.Signals): void {
  for (const seen of processes) {
    if (!processTable.isAlive(seen)) continue
    try {
      process.kill(seen.pid, signal)
      // A stopped process cannot act on a polite request.
      if (signal !== "SIGKILL" && signal !== "SIGSTOP") process.kill(seen.pid, "SIGCONT")
    } catch {
      // Gone meanwhile, or of another user: then it is found again and counted as a survivor.
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
