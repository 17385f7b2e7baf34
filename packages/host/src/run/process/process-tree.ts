import { bestEffort, type Teardown } from "@haft/contract"
import type { ProcessIdentity } from "../../lock/process-identity.js"
import { relaySource } from "../../proxy/relay-source.js"
import { pause } from "../../wait.js"
import { CallCgroup } from "./cgroup.js"
import { tagName } from "./spawn.js"
import { processTable } from "./table/index.js"

/** What a tree grows from. */
export interface TreeOptions {
  readonly pid: number
  readonly tag: string
  /** In a sandbox with its own process namespace, which dies as a whole with its first process. */
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

/** All processes that came from one start, also those that left their parent, group and session. */
export class ProcessTree {
  private readonly variable: string
  private readonly sinceMs = performance.now()
  private readonly known = new Map<number, ProcessIdentity>()
  private cgroup: CallCgroup | undefined

  constructor(private readonly options: TreeOptions) {
    this.variable = `${tagName}=${options.tag}`
    this.cgroup = options.confined ? undefined : CallCgroup.hold(options.pid)
  }

  /** Sends a signal to every process of the program, not to those that hold the sandbox. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    send(this.program(await this.alive()), signal)
  }

  /** Stops every process of the program; the answer lets those that ran go on. */
  async freeze(): Promise<() => void> {
    const stopped = new Map<number, ProcessIdentity>()
    const isRunning = ({ pid }: ProcessIdentity) => !stopped.has(pid) && !processTable.isStopped(pid)
    // What a process starts before it is stopped is found by the next look.
    for (let round = 0, found = true; found && round < mostLooks; round += 1) {
      const running = this.program(await this.alive()).filter(isRunning)
      found = running.length > 0
      for (const process of running) {
        send([process], "SIGSTOP")
        // A shell reports a child that it sees stopped, and takes the terminal back: it has to be stopped first.
        await hasStopped(process)
        stopped.set(process.pid, process)
      }
    }
    // For the same reason a child goes on before the one that started it.
    return () => send([...stopped.values()].reverse(), "SIGCONT")
  }

  /** Ends all that is left without asking: nothing of the program gets to do anything more. */
  async kill(): Promise<Teardown> {
    const all = await this.alive()
    await this.killAll(all.length === 0)
    return { ended: this.program(all).length, survivors: [...this.known.keys()] }
  }

  /** Ends all that is left: politely at first, then for certain. Settles when all are gone. */
  async end(): Promise<Teardown> {
    const all = await this.alive()
    const asked = this.program(all)
    send(asked, "SIGTERM")
    let gone = all.length === 0
    // What holds the sandbox has nothing to clean up and is not asked.
    if (asked.length > 0) gone = await this.isGoneWithin(this.options.confined ? graceMs.confined : graceMs.unconfined)
    await this.killAll(gone)
    return { ended: asked.length, survivors: [...this.known.keys()] }
  }

  private async alive(): Promise<readonly ProcessIdentity[]> {
    const { pid: root } = this.options
    this.remember(await processTable.descendants(root))
    this.remember(await membersOf(this.cgroup))
    this.remember(await processTable.tagged({ root, variable: this.variable, sinceMs: this.sinceMs }))
    for (const process of this.known.values()) if (!processTable.isAlive(process)) this.known.delete(process.pid)
    return [...this.known.values()]
  }

  private remember(seen: readonly ProcessIdentity[]): void {
    for (const process of seen) this.known.set(process.pid, process)
  }

  private program(all: readonly ProcessIdentity[]): readonly ProcessIdentity[] {
    return this.options.confined ? all.filter(({ pid }) => !holdsSandbox(pid)) : all
  }

  private async isGoneWithin(limitMs: number): Promise<boolean> {
    const start = performance.now()
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 8)) {
      if ((await this.alive()).length === 0) return true
      const leftMs = limitMs - (performance.now() - start)
      if (leftMs <= 0) return false
      await pause(Math.min(pauseMs, leftMs))
    }
  }

  private async killAll(isGone: boolean): Promise<void> {
    const start = performance.now()
    for (let gone = isGone; !gone && performance.now() - start < hopelessMs; gone = await this.isGoneWithin(10)) {
      this.cgroup?.kill()
      send(await this.alive(), "SIGKILL")
    }
    // Given back once: it may soon hold the processes of another start.
    void this.cgroup?.remove()
    this.cgroup = undefined
  }
}

async function membersOf(cgroup: CallCgroup | undefined): Promise<readonly ProcessIdentity[]> {
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

/** Waits until a process that got SIGSTOP has stopped, though not for one that is busy inside the kernel. */
async function hasStopped(seen: ProcessIdentity): Promise<void> {
  const start = performance.now()
  while (processTable.isStopped(seen.pid) === false && processTable.isAlive(seen)) {
    if (performance.now() - start > stopMs) return
    await pause(0)
  }
}

function send(processes: readonly ProcessIdentity[], signal: NodeJS.Signals): void {
  for (const seen of processes) {
    if (!processTable.isAlive(seen)) continue
    bestEffort("gone meanwhile, or of another user: then it is found again and counted as a survivor", () => {
      process.kill(seen.pid, signal)
      // A stopped process cannot act on a polite request.
      if (signal !== "SIGKILL" && signal !== "SIGSTOP") process.kill(seen.pid, "SIGCONT")
    })
  }
}
