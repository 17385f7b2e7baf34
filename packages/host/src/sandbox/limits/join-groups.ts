import { readFile, writeFile } from "node:fs/promises"

/**
 * Puts a process and the children it has so far into control groups. The first entry waits for every processor to take
 * notice, some milliseconds, which the process spends on building its wall; therefore not by the process itself.
 */
export async function joinGroups(pid: number, joins: readonly string[]): Promise<void> {
  for (const join of joins) await writeFile(join, String(pid))
  // A child that was made before that is not in the group yet; one made after it is.
  for (const child of await childrenOf(pid)) {
    for (const join of joins) await writeFile(join, String(child))
  }
}

async function childrenOf(pid: number): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ").filter(Boolean)
}
