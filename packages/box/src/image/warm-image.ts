import { chmod, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { cancelled } from "@haft/host"
import { type BoxOptions, boxSettings } from "../box-options.js"
import { buildInitrd, guestVersion } from "../guest/build-initrd.js"
import { bootMachine } from "../machine/boot-machine.js"
import type { MachinePrograms } from "../machine/confine-machine.js"
import { waitReady } from "../machine/control-reader.js"
import type { Accelerator } from "../machine/qemu-arguments.js"
import { findQemuHost } from "../machine/qemu-host.js"
import { openSnapshotPort } from "../machine/save-snapshot.js"
import { isolationUnavailable } from "../refusal.js"
import { describeFile, type Image, type ImageSnapshot, imageFiles } from "./image.js"
import { asideOf, describeImage, readDrivers, sweepAside, writeManifest } from "./install-image.js"
import { openAnyImage } from "./open-image.js"
import { snapshotKey } from "./snapshot-key.js"

/** How an image is warmed. */
export interface WarmOptions extends BoxOptions {
  readonly signal?: AbortSignal
}

// Nobody waits for an answer: a slow host may take its time.
const bootMs = 120_000

/** Boots an image once with the best machine of this host and keeps the state that every run then continues. */
export async function warmImage(name: string, options: WarmOptions): Promise<Image> {
  const settings = boxSettings(options)
  const installed = await openAnyImage(settings.imagesFolder, name)
  await sweepAside(installed.folder)
  const image = await refreshImage(installed)
  const host = await findQemuHost(settings)
  if (typeof host === "string") {
    throw isolationUnavailable("vm", [
      { backend: "qemu-kvm", level: "vm", ok: false, why: host },
      { backend: "qemu-tcg", level: "vm-emulated", ok: false, why: host },
    ])
  }
  const hardware = await host.probe("kvm", image, options.signal ?? new AbortController().signal)
  const accelerator = hardware.ok ? "kvm" : "tcg"
  const { programs, version: qemuVersion } = host
  const warmed = await snapshotImage(image, {
    programs,
    qemuVersion,
    accelerator,
    memoryMiB: settings.memoryMiB,
    bootMs,
    ...(options.signal && { signal: options.signal }),
  })
  // The snapshot is the proof that this machine works.
  if (accelerator === "tcg") await host.learn({ backend: "qemu-tcg", level: "vm-emulated", ok: true })
  return warmed
}

/** Gives an image that another version of Haft made the programs of this one; its snapshots are of no use any more. */
export async function refreshImage(image: Image): Promise<Image> {
  if (image.guest === guestVersion()) return image
  const { folder } = image
  const draft = asideOf(folder)
  await writeFile(draft, buildInitrd(await readDrivers(image)))
  await chmod(draft, 0o644)
  await rename(draft, join(folder, imageFiles.initrd))
  const manifest = { ...(await describeImage(image, folder)), createdAt: image.createdAt }
  await writeManifest(folder, manifest)
  for (const { file } of image.snapshots) await rm(join(folder, file), { force: true })
  return { ...manifest, folder }
}

/** Which machine a snapshot is made of. */
interface SnapshotOptions {
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
async function snapshotImage(image: Image, options: SnapshotOptions): Promise<Image> {
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
