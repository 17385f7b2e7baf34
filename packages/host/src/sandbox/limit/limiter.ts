import { randomBytes } from "node:crypto"
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { totalmem } from "node:os"
import { dirname, join } from "node:path"
import type { Isolation } from "@haft/contract"
import { bestEffort } from "@haft/contract"
import { ownGroupPrefix, removeGroup, sweepGroups } from "../../run/process/cgroup.js"
import { pause } from "../../wait.js"
import {
  type CgroupPlacement,
  createCgroupPlacement,
  type DirectPlacement,
  findDirectPlacement,
} from "./cgroup-placement.js"

/** Holds the commands of a session to its limits. */
export interface Limiter {
  readonly enforcedBy: Isolation["limits"]["enforcedBy"]
  /** Files that take the number of a process to be limited; empty without control groups. */
  readonly joins: readonly string[]
  /** Where processes can be counted from their beginning; elsewhere they wait until they are placed. */
  readonly direct?: Pick<DirectPlacement, "start">
  readonly placement: CgroupPlacement
  readonly limits: Limits
  close(): Promise<void>
}

/** Makes the control groups of a session where that is possible; resource limits hold everywhere else. */
export function createLimiter(limits: Limits, find: () => CgroupPlace | undefined = findCgroup): Limiter {
  const place = find()
  const name = `${ownGroupPrefix}${randomBytes(4).toString("hex")}`
  const groups = place ? makeGroups(place, name, limits) : undefined
  if (!groups || !place) {
    return { enforcedBy: "rlimit", joins: [], placement: placesAll, limits, close: async () => undefined }
  }
  const joins = groups.map((group) => join(group, "cgroup.procs"))
  const direct = place.kind === "cgroup1" ? findDirectPlacement({ group: groups[0]!, own: place.processes }) : undefined
  return {
    enforcedBy: place.kind,
    joins,
    ...(direct && { direct }),
    placement: createCgroupPlacement(joins),
    limits,
    close() {
      direct?.close()
      return removeAll(groups)
    },
  }
}

const placesAll: CgroupPlacement = { place: async () => true, follow: async () => true }

function makeGroups(place: CgroupPlace, name: string, limits: Limits): readonly string[] | undefined {
  const made: string[] = []
  const make = (parent: string, settings: Readonly<Record<string, number>>) => {
    const group = join(parent, name)
    sweepGroups(parent)
    mkdirSync(group)
    made.push(group)
    for (const [file, value] of Object.entries(settings)) writeFileSync(join(group, file), String(value))
  }
  try {
    if (place.kind === "cgroup2") {
      make(place.parent, { "pids.max": limits.processes, "memory.max": limits.memoryBytes })
    } else {
      make(place.processes, { "pids.max": limits.processes })
      make(place.memory, { "memory.limit_in_bytes": limits.memoryBytes })
    }
    return made
  } catch {
    for (const group of made) removeGroup(group)
    return undefined
  }
}

/** A group can be removed once its last process is gone, which the kernel notices a little later than we do. */
async function removeAll(groups: readonly string[]): Promise<void> {
  for (const group of groups) {
    for (let attempt = 0; attempt < 20 && !removeGroup(group); attempt += 1) await pause(10)
  }
}

/** Control groups in which a child group for commands can be made. */
export type CgroupPlace =
  | { readonly kind: "cgroup2"; readonly parent: string }
  | { readonly kind: "cgroup1"; readonly processes: string; readonly memory: string }

/** Finds a group with the controllers for processes and memory that this user may add a child to. */
export function findCgroup(): CgroupPlace | undefined {
  const mounts = quietly(() => readFileSync("/proc/self/mountinfo", "utf8"))
  const groups = quietly(() => readFileSync("/proc/self/cgroup", "utf8"))
  if (mounts === undefined || groups === undefined) return undefined
  return findUnified(mounts, groups) ?? findSeparate(mounts, groups)
}

/** The nearest group above that already hands both controllers to its children. */
function findUnified(mounts: string, groups: string): CgroupPlace | undefined {
  const top = mountPoint(mounts, "cgroup2")
  const own = /^0::(.*)$/m.exec(groups)?.[1]
  if (top === undefined || own === undefined) return undefined
  for (let parent = join(top, own); parent.startsWith(top); parent = dirname(parent)) {
    const handed = quietly(() => readFileSync(join(parent, "cgroup.subtree_control"), "utf8"))?.split(/\s+/) ?? []
    // Moving a process also needs the right to write into the group above both places.
    if (handed.includes("pids") && handed.includes("memory") && areWritable(parent, join(parent, "cgroup.procs"))) {
      return { kind: "cgroup2", parent }
    }
  }
  return undefined
}

function findSeparate(mounts: string, groups: string): CgroupPlace | undefined {
  const [processes, memory] = ["pids", "memory"].map((controller) => {
    const top = mountPoint(mounts, "cgroup", controller)
    const own = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, "m").exec(groups)?.[1]
    return top !== undefined && own !== undefined ? join(top, own) : undefined
  })
  if (processes === undefined || memory === undefined || !areWritable(processes, memory)) return undefined
  return { kind: "cgroup1", processes, memory }
}

function mountPoint(mounts: string, type: string, option?: string): string | undefined {
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ")
    const [found, , options = ""] = after.split(" ")
    if (found === type && (option === undefined || options.split(",").includes(option))) return before.split(" ")[4]
  }
  return undefined
}

function areWritable(...paths: readonly string[]): boolean {
  return paths.every((path) => quietly(() => accessSync(path, constants.W_OK) ?? true) === true)
}

function quietly<Result>(work: () => Result): Result | undefined {
  return bestEffort("a group that cannot be used is passed over", work)
}

/** What the processes of a session's commands may use together, and a file of theirs at most. */
export interface Limits {
  readonly processes: number
  readonly memoryBytes: number
  readonly openFiles: number
  readonly fileBytes: number
  /** Each of the file systems in memory. */
  readonly temporaryBytes: number
  /** The private home directory and /tmp of the session, together. */
  readonly homeBytes: number
}

const gigabyte = 1024 ** 3

/** Limits that hold when nobody set others. */
export function withDefaults(limits: Partial<Limits> = {}): Limits {
  return {
    processes: 512,
    memoryBytes: Math.min(4 * gigabyte, Math.floor(totalmem() / 2)),
    openFiles: 4096,
    fileBytes: 2 * gigabyte,
    temporaryBytes: gigabyte,
    homeBytes: gigabyte,
    ...limits,
  }
}
