import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { cancelled } from "@haft/host"
import { bootMachine } from "../machine/boot-machine.js"
import type { MachinePrograms } from "../machine/confine-machine.js"
import type { Accelerator } from "../machine/qemu-arguments.js"
import { openSnapshotPort } from "../machine/save-snapshot.js"
import { waitReady } from "../machine/wait-ready.js"
import type { Image, ImageSnapshot } from "./image.js"
import { describeFile } from "./image-file.js"
import { asideOf, writeManifest } from "./install-image.js"
import { snapshotKey } from "./snapshot-key.js"

/** Which machine a snapshot is made of. */
export interface SnapshotOptions {
  readonly programs: MachinePrograms
  readonly qemuVersion: string
  readonly accelerator: Accelerator
  readonly memoryMiB: number
  /** How long the guest may take to start. */
  readonly bootMs: number
  readonly signal?: AbortSignal
}

const saveMs = 60_000

/** Boots an image once and keeps the state in which it waits for its first command. Older snapshots are removed. */
export async function snapshotImage(image: Image, options: SnapshotOptions): Promise<Image> {
  const key = snapshotKey(image, options)
  const temporary = asideOf(image.folder)
  const port = await openSnapshotPort()
  try {
    const machine = await bootMachine({ ...options, image, disk: new Uint8Array(), snapshotFolder: port.folder })
    const abort = (): void => void machine.end()
    options.signal?.addEventListener("abort", abort, { once: true })
    if (options.signal?.aborted) abort()
    try {
      const problem = await waitReady(machine, { deadlineMs: options.bootMs })
      if (problem !== undefined) throw new ToolError("backend", `Cannot warm "${image.name}": ${problem}`)
      await port.save(machine, temporary, saveMs)
    } catch (error) {
      throw options.signal?.aborted ? cancelled(options.signal) : error
    } finally {
      options.signal?.removeEventListener("abort", abort)
      await machine.end()
    }
    return await keepSnapshot(image, key, temporary)
  } finally {
    await port.close()
    await rm(temporary, { force: true })
  }
}

async function keepSnapshot(image: Image, key: string, temporary: string): Promise<Image> {
  const file = `snapshot-${key}`
  await rename(temporary, join(image.folder, file))
  const snapshot: ImageSnapshot = { key, file, ...(await describeFile(join(image.folder, file))) }
  const { folder, ...manifest } = { ...image, snapshots: [snapshot] }
  await writeManifest(folder, manifest)
  for (const old of image.snapshots) if (old.file !== file) await rm(join(folder, old.file), { force: true })
  return { ...manifest, folder }
}
