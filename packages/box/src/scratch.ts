import { randomBytes } from "node:crypto"
import { mkdir, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isAlive } from "./is-alive.js"

const name = /^haft-box-(\d+)-[0-9a-f]{32}$/

/**
 * A path for something that lives as long as a machine at most; its name tells which process made it. What killed
 * processes left is removed on the way.
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
  for (const entry of await readdir(tmpdir()).catch(() => [])) {
    const pid = name.exec(entry)?.[1]
    // Another user's is not ours to remove, and stays.
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(tmpdir(), entry), { recursive: true, force: true }).catch(() => undefined)
    }
  }
}
