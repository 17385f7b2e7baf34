import { randomBytes } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isAlive } from "../is-alive.js"

/** A name that is written down for as long as a container may have it. */
export interface ContainerName {
  readonly name: string
  /** To be called when the container is gone. */
  forget(): Promise<void>
}

const pattern = /^haft-box-(\d+)-[0-9a-f]{32}$/

/**
 * Takes a new name. Podman keeps what it knows about a container even when all of its processes were killed, so names
 * are written down first, and containers of Haft processes that ended without cleaning up are removed on the way.
 */
export async function takeContainerName(
  imagesFolder: string,
  remove: (name: string) => Promise<void>,
): Promise<ContainerName> {
  // No image can have this name.
  const folder = join(imagesFolder, ".containers")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await readdir(folder)) {
    const pid = pattern.exec(left)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    await remove(left)
    await rm(join(folder, left), { force: true })
  }
  const name = `haft-box-${process.pid}-${randomBytes(16).toString("hex")}`
  await writeFile(join(folder, name), "")
  return { name, forget: () => rm(join(folder, name), { force: true }) }
}
