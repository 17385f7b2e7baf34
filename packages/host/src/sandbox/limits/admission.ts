import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"

/** Puts processes into control groups; false when more are started than can be followed. */
export interface Admission {
  /** Puts a process, with all that it started, into every group. */
  admit(pid: number): Promise<boolean>
  /** Puts a process that was born in the first group, with all others there, into the further ones. */
  follow(pid: number): Promise<boolean>
}

/**
 * Admits processes after they were started, one after the other. The first entry into a group waits until every
 * processor has taken notice, some milliseconds, and those right after it do not; a sandbox takes about as long to stand.
 */
export function createAdmission(joins: readonly string[]): Admission {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<boolean>) => {
    const admitted = last.then(work)
    last = admitted.catch(() => undefined)
    return admitted
  }
  const [first, ...further] = joins
  return {
    admit: (pid) => inTurn(() => admitTree(pid, joins)),
    async follow(pid) {
      const all = await Promise.all(further.map((list) => inTurn(() => admitMembers(pid, { from: first!, to: list }))))
      return all.every(Boolean)
    },
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
      for (const list of joins) enter(list, member)
      admitted.add(member)
    }
  }
  return false
}

/** Whoever is in the one group and not in the other; a process whose parent has gone is found as well. */
async function admitMembers(
  pid: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const admitted = new Set<string>()
  await writeFile(to, String(pid)).catch(unlessGone)
  for (let round = 0; round < maxRounds; round += 1) {
    for (const member of membersOf(to)) admitted.add(member)
    const fresh = membersOf(from).filter((member) => !admitted.has(member))
    if (fresh.length === 0) return true
    for (const member of fresh) {
      enter(to, member)
      // One that is about to end is let in without being moved.
      admitted.add(member)
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
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean),
    )
  } catch {
    return []
  }
}
