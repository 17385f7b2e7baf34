import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"

/** Puts a process, with all that it started, into control groups; false when it starts more than can be followed. */
export type Admit = (pid: number) => Promise<boolean>

/**
 * Admits processes after they were started, one after the other. The first entry into a group waits until every
 * processor has taken notice, some milliseconds, and those right after it do not. A wall takes longer than that to stand,
 * so the command is in its groups when it begins, or a moment later, and nobody has waited.
 */
export function createAdmission(joins: readonly string[]): Admit {
  let last: Promise<unknown> = Promise.resolve()
  return (pid) => {
    const admitted = last.then(() => admitTree(pid, joins))
    last = admitted.catch(() => undefined)
    return admitted
  }
}

/** A process that forks without end is met again in each round; after so many, or with so many, it is ended instead. */
const maxRounds = 20
const maxMembers = 2000

async function admitTree(pid: number, joins: readonly string[]): Promise<boolean> {
  const admitted = new Set<string>()
  const first = joins[0]
  if (first !== undefined) await writeFile(first, String(pid)).catch(unlessGone)
  for (let round = 0; round < maxRounds && admitted.size < maxMembers; round += 1) {
    // What an admitted process starts from now on is in the group from its beginning.
    const fresh = treeOf(String(pid)).filter((member) => !admitted.has(member))
    if (fresh.length === 0) return true
    for (const member of fresh) {
      for (const join of joins) enter(join, member)
      admitted.add(member)
    }
  }
  return false
}

/** Takes microseconds here: the kernel has just been through the long way. */
function enter(join: string, member: string): void {
  try {
    writeFileSync(join, member)
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
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean),
    )
  } catch {
    return []
  }
}
