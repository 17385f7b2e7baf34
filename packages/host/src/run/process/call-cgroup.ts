import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, write, writeFileSync } from "node:fs"
import { rmdir } from "node:fs/promises"
import { join } from "node:path"
import { ownGroupPrefix, sweepGroups } from "./owned-groups.js"
import { tagPrefix } from "./process-tag.js"
import { processTable } from "./table/index.js"
import { readWhole } from "./table/read-whole.js"

/** A control group that holds the processes of one unconfined start: nothing leaves it by forking. */
export interface CallCgroup {
  /** Numbers of the processes in it. */
  members(): readonly number[]
  kill(): void
  /** Gives it back, for the next start or to be removed; nobody needs to wait for that. */
  remove(): Promise<void>
}

/** How the control groups of this Haft begin; the watcher finds them by it. */
export const cgroupPrefix = `${ownGroupPrefix}${tagPrefix}.`

let parent: string | undefined | null = null
let count = 0

/** The directory in which control groups are made, or undefined where this user may make none. */
export function cgroupParent(): string | undefined {
  if (parent === null) parent = process.platform === "linux" ? findParent() : undefined
  return parent
}

/**
 * Puts a process that was just started into a control group of its own, and what it has started by then; undefined where
 * there is no such thing. The kernel may take its time for it while many processes start, so nobody waits: until then
 * the other ways of finding processes remain.
 */
export function createCallCgroup(pid: number): CallCgroup | undefined {
  const above = cgroupParent()
  const place = above === undefined ? undefined : (idle.pop() ?? makePlace(above))
  if (place === undefined) return undefined
  let joined = false
  let isGivenBack = false
  const joining = enter(place, pid).then(async (isIn) => {
    joined = isIn
    if (isIn) await bringAlong(place, pid, () => isGivenBack)
  })
  return {
    members: () => (joined ? (membersIn(place) ?? []) : []),
    kill() {
      try {
        if (joined) writeFileSync(join(place.folder, "cgroup.kill"), "1")
      } catch {
        // Members are also ended one by one.
      }
    },
    async remove() {
      if (isGivenBack) return
      isGivenBack = true
      await joining
      // From here on it may hold the processes of another start: what is asked of this one again must not reach them.
      joined = false
      if (idle.length < keptIdle && membersIn(place)?.length === 0) return void idle.push(place)
      closeSync(place.list)
      // Dead members that nobody has collected yet hold it for a moment; the watcher removes what is left at the end.
      for (const pauseMs of [0, 50, 500]) {
        if (await rmdir(place.folder).then(isTrue, () => pause(pauseMs))) return
      }
    },
  }
}

/** A group with its list of members held open. */
interface Place {
  readonly folder: string
  readonly list: number
}

// Making and removing a group costs the kernel a good part of what a short command takes, so an empty one serves again.
const idle: Place[] = []
const keptIdle = 8

function makePlace(above: string): Place | undefined {
  count += 1
  const folder = join(above, `${cgroupPrefix}${count}`)
  try {
    mkdirSync(folder)
    return { folder, list: openSync(join(folder, "cgroup.procs"), "r+") }
  } catch {
    return undefined
  }
}

function enter({ list }: Place, pid: number): Promise<boolean> {
  return new Promise((resolve) => write(list, String(pid), 0, (error) => resolve(error === null)))
}

// A program that starts processes faster than they are moved is known by its tag and by who started whom.
const mostRounds = 10

/** Moves what a process started before it was in the group; what those start meanwhile is found by the next round. */
async function bringAlong(place: Place, pid: number, isOver: () => boolean): Promise<void> {
  for (let round = 0; round < mostRounds && !isOver(); round += 1) {
    const inside = new Set(membersIn(place))
    const outside = (await processTable.descendants(pid)).filter((seen) => !inside.has(seen.pid))
    if (outside.length === 0) return
    for (const seen of outside) if (!isOver() && processTable.isAlive(seen)) await enter(place, seen.pid)
  }
}

function membersIn({ list }: Place): readonly number[] | undefined {
  try {
    return readWhole(list)
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [Number(line)]))
  } catch {
    return undefined
  }
}

const isTrue = () => true

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref())
}

/** The own group in the unified hierarchy, proven by making a group there that can be killed. */
function findParent(): string | undefined {
  try {
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
      // Whoever was killed together with its watcher left its groups.
      sweepGroups(folder)
      return folder
    } finally {
      rmdirSync(trial)
    }
  } catch {
    return undefined
  }
}
