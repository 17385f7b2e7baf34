import { execFile } from "node:child_process"
import { chmod, chown, type FileHandle, lstat, open, rm, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { type Image, imageFiles } from "../image/image.js"
import { jobDiskBytes } from "../job/job-archive.js"
import { boxUnfilled } from "../refusal.js"
import { makeScratchFolder, takeScratchPath } from "../scratch.js"
import { confineMachine, type MachinePrograms, machinePlaces, machineUser } from "./confine-machine.js"
import { findSystemFolders } from "./machine-host.js"
import { type Accelerator, qemuArguments } from "./qemu-arguments.js"
import { type Machine, startMachine } from "./start-machine.js"

/** Which machine is wanted. */
export interface BootOptions {
  readonly programs: MachinePrograms
  readonly accelerator: Accelerator
  readonly memoryMiB: number
  readonly image: Image
  /** Content of the second disk. */
  readonly disk: Uint8Array
  /** Path of the snapshot to continue. */
  readonly snapshot?: string
  /** Folder with a socket for a snapshot; then the machine has a monitor. */
  readonly snapshotFolder?: string
}

/** Starts a machine of an image in its sandbox. The caller ends it. */
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
    const sandbox = {
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
      argv: confineMachine(sandbox, machineArguments),
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

/** A device node for hardware virtualisation that the machine's user may open. */
interface KvmDevice {
  readonly path: string
  remove(): Promise<void>
}

const kvmDevice = "/dev/kvm"
const worldReadWrite = 0o006

/** The device, or a second node of it that belongs to the machine's user: the host's own keeps its owner and mode. */
async function openKvmDevice(asRoot: boolean): Promise<KvmDevice> {
  const facts = await lstat(kvmDevice)
  if (!asRoot || (facts.mode & worldReadWrite) === worldReadWrite)
    return { path: kvmDevice, remove: async () => undefined }
  const folder = await makeScratchFolder()
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, "kvm")
    const [major, minor] = [(facts.rdev >> 8) & 0xfff, (facts.rdev & 0xff) | ((facts.rdev >> 12) & 0xfff00)]
    await promisify(execFile)("mknod", [path, "c", String(major), String(minor)])
    await chown(path, machineUser, machineUser)
    await chmod(path, 0o600)
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * A read-only disk with this content that has no name: it is gone with the last process that holds it, whatever
 * happens to this one.
 */
export async function openJobDisk(content: Uint8Array): Promise<FileHandle> {
  const path = await takeScratchPath()
  try {
    const writer = await open(path, "wx", 0o600)
    try {
      const reader = await open(path, "r").finally(() => unlink(path))
      await fill(writer, content).catch((error: unknown) => reader.close().then(() => Promise.reject(error)))
      return reader
    } finally {
      await writer.close()
    }
  } catch (error) {
    throw boxUnfilled(error, dirname(path))
  }
}

async function fill(writer: FileHandle, content: Uint8Array): Promise<void> {
  await writer.writeFile(content)
  await writer.truncate(jobDiskBytes)
}
