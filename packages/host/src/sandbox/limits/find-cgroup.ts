import { accessSync, constants, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

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
  try {
    return work()
  } catch {
    return undefined
  }
}
