import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { type Image, imageFiles } from "../image/image.js"
import { openJobDisk } from "../job/job-disk.js"
import { confineMachine, type MachinePrograms, machinePlaces } from "./confine-machine.js"
import { type KvmDevice, openKvmDevice } from "./kvm-device.js"
import { findSystemFolders } from "./machine-host.js"
import { type Accelerator, qemuArguments } from "./qemu-arguments.js"
import { type Machine, startMachine } from "./start-machine.js"

/** Which machine is wanted. */
export interface BootOptions {
  readonly programs: MachinePrograms
  readonly accelerator: Accelerator
  readonly memoryMiB: number
  readonly image: Image
  /** What stands on the second disk. */
  readonly disk: Uint8Array
  /** Path of the snapshot to continue. */
  readonly snapshot?: string
  /** Folder with a socket for a snapshot; then the machine has a monitor. */
  readonly snapshotFolder?: string
}

/** Starts a machine of an image behind its wall. The caller ends it. */
export async function bootMachine(options: BootOptions): Promise<Machine> {
  const { accelerator, memoryMiB, image, snapshot, snapshotFolder, programs } = options
  const opened: FileHandle[] = []
  let device: KvmDevice | undefined
  try {
    const root = await keep(opened, open(join(image.folder, imageFiles.rootfs), "r"))
    const job = await keep(opened, openJobDisk(options.disk))
    const restored = snapshot === undefined ? undefined : await keep(opened, open(snapshot, "r"))
    const asRoot = process.getuid?.() === 0
    if (accelerator === "kvm") device = await openKvmDevice(asRoot)
    const wall = {
      programs,
      asRoot,
      memoryMiB,
      systemFolders: await findSystemFolders(),
      imageFolder: image.folder,
      ...(snapshotFolder !== undefined && { snapshotFolder }),
      ...(device !== undefined && { kvmDevice: device.path }),
    }
    const machineArguments = qemuArguments({
      accelerator,
      memoryMiB,
      kernel: join(machinePlaces.image, imageFiles.kernel),
      initrd: join(machinePlaces.image, imageFiles.initrd),
      start: restored ? "restore" : snapshotFolder !== undefined ? "monitored" : "boot",
    })
    return startMachine({
      argv: confineMachine(wall, machineArguments),
      files: { root: root.fd, job: job.fd, ...(restored && { snapshot: restored.fd }) },
      monitored: snapshotFolder !== undefined,
      memoryMiB,
      ...(device !== undefined && { cleanUp: device.remove }),
    })
  } catch (error) {
    await device?.remove()
    throw error
  } finally {
    // The machine has inherited them.
    for (const handle of opened) await handle.close()
  }
}

async function keep(opened: FileHandle[], opening: Promise<FileHandle>): Promise<FileHandle> {
  const handle = await opening
  opened.push(handle)
  return handle
}
