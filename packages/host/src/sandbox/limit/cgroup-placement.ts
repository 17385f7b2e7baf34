import type { ChildProcess } from "node:child_process"
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { release } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { bestEffort, ToolError } from "@haft/contract"

/** Puts processes into control groups; false when more are started than can be followed. */
export interface CgroupPlacement {
  /** Puts a process, with all that it started, into every group. */
  place(pid: number): Promise<boolean>
  /** Puts a process that was born in the first group, with all others there, into the further ones. */
  follow(pid: number): Promise<boolean>
}

/**
 * Admits processes after they were started, one after the other. The first entry into a group waits until every
 * processor has taken notice, some milliseconds, and those right after it do not; a sandbox takes about as long to set up.
 */
export function createCgroupPlacement(joins: readonly string[]): CgroupPlacement {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<boolean>) => {
    const placed = last.then(work)
    last = bestEffort("its caller gets the failure; the next one does not", placed)
    return placed
  }
  const [first, ...further] = joins
  return {
    place: (pid) => inTurn(() => placeTree(pid, joins)),
    async follow(pid) {
      const all = await Promise.all(further.map((list) => inTurn(() => placeMembers(pid, { from: first!, to: list }))))
      return all.every(Boolean)
    },
  }
}

/** A process that forks without end is met again in each round; after so many, or with so many, it is ended instead. */
const maxRounds = 20
const maxMembers = 2000

async function placeTree(pid: number, joins: readonly string[]): Promise<boolean> {
  const placed = new Set<string>()
  const first = joins[0]
  if (first !== undefined) await writeFile(first, String(pid)).catch(unlessGone)
  for (let round = 0; round < maxRounds && placed.size < maxMembers; round += 1) {
    // What an placed process starts from now on is in the group from its beginning.
    const fresh = treeOf(String(pid)).filter((member) => !placed.has(member))
    if (fresh.length === 0) return true
    for (const member of fresh) {
      for (const list of joins) enter(list, member)
      placed.add(member)
    }
  }
  return false
}

/** Places every process that is in the one group and not in the other; a process whose parent has gone is found as well. */
async function placeMembers(
  pid: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const placed = new Set<string>()
  await writeFile(to, String(pid)).catch(unlessGone)
  for (let round = 0; round < maxRounds; round += 1) {
    for (const member of membersOf(to)) placed.add(member)
    const fresh = membersOf(from).filter((member) => !placed.has(member))
    if (fresh.length === 0) return true
    for (const member of fresh) {
      enter(to, member)
      // One that is about to end is let in without being moved.
      placed.add(member)
    }
  }
  return false
}

function membersOf(list: string): readonly string[] {
  return readFileSync(list, "latin1").split("\n").filter(Boolean)
}

/** Takes microseconds here: the kernel has just been through the long way. */
function enter(list: string, member: string): void {
  try {
    writeFileSync(list, member)
  } catch (error) {
    unlessGone(error)
  }
}

/** A process that ended meanwhile needs no limits. */
function unlessGone(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
}

function treeOf(pid: string): readonly string[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function childrenOf(pid: string): readonly string[] {
  const children = bestEffort("the process has ended", () =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean),
    ),
  )
  return children ?? []
}

/**
 * Text for a shell that goes on when it is in its control groups. Without it a command that starts
 * processes at once could have started more than it may have before anything counts them. With the end of Haft the
 * connection ends, and nothing is run. The name is none that a command could have a variable of.
 */
export function waitUntilPlaced(descriptor: number): string {
  return `read -r haft_placed <&${descriptor} || exit 125`
}

/** Lets such a shell go on. */
export function reportPlaced(child: ChildProcess, descriptor: number): void {
  // For a process that has ended meanwhile the stream is closed: nobody reads this.
  ;(child.stdio[descriptor as 3] as unknown as Writable).write("\n")
}

/** A control group that processes can be born in: nothing has to move them, and they are counted from the beginning. */
export interface DirectPlacement {
  /** What is started meanwhile, by this thread and before the answer, is in the group. */
  start<Started>(work: () => Started): Started
  close(): void
}

/**
 * Moves the thread that starts a process into the group for that moment, and back. A single thread that moves itself
 * waits for nobody, unlike every other entry into a group; this exists for separate hierarchies only, and since Linux
 * 5.18. Only for the group that counts processes: in one that limits memory, Haft itself could be ended for want of it.
 */
export function findDirectPlacement({ group, own }: { readonly group: string; readonly own: string }) {
  if (!movesFreely(release())) return undefined
  const opened: number[] = []
  const close = () => {
    for (const descriptor of opened.splice(0)) closeSync(descriptor)
  }
  try {
    for (const folder of [group, own]) opened.push(openSync(join(folder, "tasks"), "w"))
    const start: DirectPlacement["start"] = (work) => {
      const [inside, back] = opened
      if (inside === undefined || back === undefined) {
        throw new ToolError("unavailable", "Cannot start a command: its session has ended")
      }
      try {
        writeSync(inside, thisThread)
        return work()
      } finally {
        writeSync(back, thisThread)
      }
    }
    start(() => undefined)
    return { start, close } satisfies DirectPlacement
  } catch {
    close()
    return undefined
  }
}

const thisThread = "0"

function movesFreely(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number)
  return major > 5 || (major === 5 && minor >= 18)
}
