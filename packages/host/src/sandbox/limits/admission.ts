import { readdir, readFile, writeFile } from "node:fs/promises"

/** Puts a process, with all that it started, into control groups; false when it starts more than can be followed. */
export type Admit = (pid: number) => Promise<boolean>

/**
 * Admits processes after they were started, one after the other. The first entry into a group waits until every
 * processor has taken notice, some milliseconds, and those right after it do not: so nobody waits for it, least of all
 * the command, and it never keeps more than one thread.
 */
export function createAdmission(joins: readonly string[]): Admit {
  let last: Promise<unknown> = Promise.resolve()
  return (pid) => {
    const admitted = last.then(() => admitTree(pid, joins))
    last = admitted.catch(() => undefined)
    return admitted
  }
}

/** A process that forks without end is met by each round; after so many it is ended instead. */
const maxRounds = 50

async function admitTree(pid: number, joins: readonly string[]): Promise<boolean> {
  const admitted = new Set<string>()
  for (let round = 0; round < maxRounds; round += 1) {
    // What an admitted process starts from now on is in the group from its beginning.
    const fresh = (await treeOf(String(pid))).filter((member) => !admitted.has(member))
    if (fresh.length === 0) return true
    for (const member of fresh) {
      for (const join of joins) await enter(join, member)
      admitted.add(member)
    }
  }
  return false
}

async function enter(join: string, member: string): Promise<void> {
  try {
    await writeFile(join, member)
  } catch (error) {
    // It ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

async function treeOf(pid: string): Promise<readonly string[]> {
  const children = await childrenOf(pid)
  const below = await Promise.all(children.map(treeOf))
  return [pid, ...below.flat()]
}

async function childrenOf(pid: string): Promise<readonly string[]> {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8")))
    return lists.flatMap((list) => list.split(" ").filter(Boolean))
  } catch {
    return []
  }
}
