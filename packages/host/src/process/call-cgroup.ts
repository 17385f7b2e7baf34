import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { rmdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { markPrefix } from "./call-mark.js"

/** A control group that holds the processes of one unconfined start: nothing leaves it by forking. */
export interface CallCgroup {
  /** Numbers of the processes in it. */
  members(): readonly number[]
  kill(): void
  /** Removes it when it is empty; nobody needs to wait for that. */
  remove(): Promise<void>
}

/** How the control groups of this Haft begin; the watcher finds them by it. */
export const cgroupPrefix = `haft-${markPrefix}.`

let parent: string | undefined | null = null
let count = 0

/** The directory in which control groups are made, or undefined where this user may make none. */
export function cgroupParent(): string | undefined {
  if (parent === null) parent = process.platform === "linux" ? findParent() : undefined
  return parent
}

/**
 * Puts a process that was just started into a control group of its own; undefined where there is no such thing. The
 * kernel may take its time for it while many processes start, so nobody waits: until then, and for children from
 * before, the other ways of finding processes remain.
 */
export function createCallCgroup(pid: number): CallCgroup | undefined {
  const above = cgroupParent()
  if (above === undefined) return undefined
  count += 1
  const folder = join(above, `${cgroupPrefix}${count}`)
  try {
    mkdirSync(folder)
  } catch {
    return undefined
  }
  let joined = false
  const joining = writeFile(join(folder, "cgroup.procs"), String(pid)).then(
    () => {
      joined = true
    },
    () => undefined,
  )
  return {
    members: () => (joined ? membersIn(folder) : []),
    kill() {
      try {
        if (joined) writeFileSync(join(folder, "cgroup.kill"), "1")
      } catch {
        // Members are also ended one by one.
      }
    },
    async remove() {
      await joining
      // Dead members that nobody has collected yet hold it for a moment; the watcher sweeps what is left at the end.
      for (const pauseMs of [0, 50, 500]) {
        if (await rmdir(folder).then(isTrue, () => pause(pauseMs))) return
      }
    },
  }
}

function membersIn(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, "cgroup.procs"), "latin1")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [Number(line)]))
  } catch {
    return []
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
      return folder
    } finally {
      rmdirSync(trial)
    }
  } catch {
    return undefined
  }
}
