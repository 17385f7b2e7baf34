import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"

const pauseMs = 10
// Long after every process that can be ended has ended.
const attempts = 1_000

/** Ends the processes of a control group, which are named in this file, and resolves when they are gone. */
export async function endGroup(membersFile: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const members = (await readFile(membersFile, "latin1").catch(() => "")).split("\n").filter(Boolean)
    if (members.length === 0) return
    for (const member of members) kill(Number(member))
    await delay(pauseMs)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}
