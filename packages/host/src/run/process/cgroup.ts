import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, write, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { isRunning, processToken } from "../../lock/process-identity.js"
import { pause } from "../../wait.js"
import { tagPrefix } from "./spawn.js"
import { processTable } from "./table/index.js"
import { readWhole } from "./table/linux.js"

/** How the names of all control groups of this process begin: they say whose they are. */
export const ownGroupPrefix = `haft-${processToken()}-`

/** How the control groups of this Haft's starts begin; the watcher finds them by it. */
export const cgroupPrefix = `${ownGroupPrefix}${tagPrefix}.`

// The place of this process in the hierarchy does not change, so it is looked for once; null says that nobody looked yet.
let parent: string | undefined | null = null
// Names must differ within the process, whichever session starts something.
let count = 0

/** The directory in which control groups are made, or undefined where this user may make none. */
export function cgroupParent(): string | undefined {
  if (parent === null) parent = process.platform === "linux" ? findParent() : undefined
  return parent
}

/**
 * A control group that holds the processes of one unconfined start: nothing leaves it by forking. The kernel may take
 * its time while many processes start, so nobody waits for it: until then the other ways of finding processes remain.
 */
export class CallCgroup {
  private hasJoined = false
  private isReleased = false
  private readonly joining: Promise<void>

  /** Moves a process that was just started, and what it has started by then; undefined where there are no groups. */
  static hold(pid: number): CallCgroup | undefined {
    const above = cgroupParent()
    const place = above === undefined ? undefined : (idle.pop() ?? makePlace(above))
    return place && new CallCgroup(place, pid)
  }

  private constructor(
    private readonly place: Place,
    pid: number,
  ) {
    this.joining = this.join(pid)
  }

  /** Numbers of the processes in it. */
  members(): readonly number[] {
    return this.hasJoined ? (membersIn(this.place) ?? []) : []
  }

  kill(): void {
    if (!this.hasJoined) return
    bestEffort("members are also ended one by one", () => writeFileSync(join(this.place.folder, "cgroup.kill"), "1"))
  }

  /** Gives it back, for the next start or to be removed; nobody needs to wait for that. */
  async remove(): Promise<void> {
    if (this.isReleased) return
    this.isReleased = true
    await this.joining
    // From here on it may hold the processes of another start: what is asked of this one again must not reach them.
    this.hasJoined = false
    const { place } = this
    if (idle.length < keptIdle && membersIn(place)?.length === 0) return void idle.push(place)
    closeSync(place.list)
    // Dead members that nobody has collected yet hold it for a moment; the watcher removes what is left at the end.
    for (const pauseMs of [0, 50, 500]) {
      if (removeGroup(place.folder)) return
      await pause(pauseMs, { ref: false })
    }
  }

  private async join(pid: number): Promise<void> {
    this.hasJoined = await enter(this.place, pid)
    // What a process started before it was in the group is moved; what those start meanwhile is found by the next round.
    for (let round = 0; this.hasJoined && round < mostRounds && !this.isReleased; round += 1) {
      const inside = new Set(membersIn(this.place))
      const outside = (await processTable.descendants(pid)).filter((seen) => !inside.has(seen.pid))
      if (outside.length === 0) return
      for (const seen of outside) {
        if (!this.isReleased && processTable.isAlive(seen)) await enter(this.place, seen.pid)
      }
    }
  }
}

// A program that starts processes faster than they are moved is known by its tag and by who started whom.
const mostRounds = 10

/** A group with its list of members held open. */
interface Place {
  readonly folder: string
  readonly list: number
}

// Making and removing a group costs the kernel a good part of what a short command takes, so an empty one serves again
// (row unconfined-command of the benchmark).
const idle: Place[] = []
const keptIdle = 8

function makePlace(above: string): Place | undefined {
  count += 1
  const folder = join(above, `${cgroupPrefix}${count}`)
  return bestEffort("without a group processes are found by their tag and their parents", () => {
    mkdirSync(folder)
    return { folder, list: openSync(join(folder, "cgroup.procs"), "r+") }
  })
}

function enter({ list }: Place, pid: number): Promise<boolean> {
  return new Promise((resolve) => write(list, String(pid), 0, (error) => resolve(error === null)))
}

function membersIn({ list }: Place): readonly number[] | undefined {
  return bestEffort("the group may be gone", () =>
    readWhole(list)
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [Number(line)])),
  )
}

/** The own group in the unified hierarchy, proven by making a group there that can be killed. */
function findParent(): string | undefined {
  return bestEffort("containers and ordinary users often may not make groups", () => {
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "latin1"))?.[1]
    const mount = readFileSync("/proc/self/mountinfo", "latin1")
      .split("\n")
      .find((line) => line.includes(" - cgroup2 "))
      ?.split(" ")[4]
    if (own === undefined || mount === undefined) return undefined
    const folder = join(mount, own)
    const trial = join(folder, `${cgroupPrefix}trial`)
    mkdirSync(trial)
    try {
      readFileSync(join(trial, "cgroup.procs"))
      writeFileSync(join(trial, "cgroup.kill"), "1")
      // A process that was killed together with its watcher left its groups.
      sweepGroups(folder)
      return folder
    } finally {
      rmdirSync(trial)
    }
  })
}

/** Removes groups of processes that ended without cleaning up; one with a process in it cannot be removed. */
export function sweepGroups(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const owner = /^haft-(\d+-\d+)-/.exec(entry)?.[1]
    if (owner !== undefined && !isRunning(owner)) removeGroup(join(parent, entry))
  }
}

/** Removes an empty group; false when it cannot be removed now. */
export function removeGroup(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}
