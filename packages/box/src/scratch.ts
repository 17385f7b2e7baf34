import { randomBytes } from "node:crypto"
import { mkdir, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { isAlive } from "@haft/host"

const name = /^haft-box-(\d+)-[0-9a-f]{32}$/

/**
 * A path for something that lives as long as a machine at most; its name holds the number of the process that made it.
 * Removes what killed processes left.
 */
export async function takeScratchPath(): Promise<string> {
  await sweep()
  return join(tmpdir(), `haft-box-${process.pid}-${randomBytes(16).toString("hex")}`)
}

/** A new folder for this process alone. */
export async function makeScratchFolder(): Promise<string> {
  const folder = await takeScratchPath()
  await mkdir(folder, { mode: 0o700 })
  return folder
}

async function sweep(): Promise<void> {
  for (const entry of (await bestEffort("the next start sweeps again", readdir(tmpdir()))) ?? []) {
    const pid = name.exec(entry)?.[1]
    // Another user's is not ours to remove, and stays.
    if (pid !== undefined && !isAlive(Number(pid))) {
      await bestEffort("the next start sweeps again", rm(join(tmpdir(), entry), { recursive: true, force: true }))
    }
  }
}
