import { execFile } from "node:child_process"
import { chmod, chown, lstat, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeScratchFolder } from "../scratch.js"
import { machineUser } from "./confine-machine.js"

/** A device node for hardware virtualisation that the machine's user may open. */
export interface KvmDevice {
  readonly path: string
  remove(): Promise<void>
}

const device = "/dev/kvm"
const worldReadWrite = 0o006

/** The device, or a second node of it that belongs to the machine's user: the host's own keeps its owner and mode. */
export async function openKvmDevice(asRoot: boolean): Promise<KvmDevice> {
  const facts = await lstat(device)
  if (!asRoot || (facts.mode & worldReadWrite) === worldReadWrite)
    return { path: device, remove: async () => undefined }
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
