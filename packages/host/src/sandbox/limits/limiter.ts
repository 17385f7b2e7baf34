import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Isolation } from "@haft/contract"
import { ownGroupPrefix, removeGroup, sweepGroups } from "../../run/process/owned-groups.js"
import { type Admission, createAdmission } from "./admission.js"
import { type Birthplace, findBirthplace } from "./birthplace.js"
import { type CgroupPlace, findCgroup } from "./find-cgroup.js"
import type { Limits } from "./limits.js"

/** Holds the commands of a session to its limits. */
export interface Limiter {
  readonly enforcedBy: Isolation["limits"]["enforcedBy"]
  /** Files that take the number of a process to be limited; empty without control groups. */
  readonly joins: readonly string[]
  /** Where processes can be counted from their beginning; elsewhere they wait until they are admitted. */
  readonly birthplace?: Pick<Birthplace, "start">
  readonly admission: Admission
  readonly limits: Limits
  close(): Promise<void>
}

/** Makes the control groups of a session where that is possible; resource limits hold everywhere else. */
export function createLimiter(limits: Limits, find: () => CgroupPlace | undefined = findCgroup): Limiter {
  const place = find()
  const name = `${ownGroupPrefix}${randomBytes(4).toString("hex")}`
  const groups = place ? makeGroups(place, name, limits) : undefined
  if (!groups || !place) {
    return { enforcedBy: "rlimit", joins: [], admission: admitsAll, limits, close: async () => undefined }
  }
  const joins = groups.map((group) => join(group, "cgroup.procs"))
  const birthplace = place.kind === "cgroup1" ? findBirthplace({ group: groups[0]!, own: place.processes }) : undefined
  return {
    enforcedBy: place.kind,
    joins,
    ...(birthplace && { birthplace }),
    admission: createAdmission(joins),
    limits,
    close() {
      birthplace?.close()
      return removeAll(groups)
    },
  }
}

const admitsAll: Admission = { admit: async () => true, follow: async () => true }

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
    for (let attempt = 0; attempt < 20 && !removeGroup(group); attempt += 1) await delay(10)
  }
}
