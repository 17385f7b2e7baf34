import { type Stats, statfsSync } from "node:fs"

// Magic numbers of Linux file systems whose calls may take as long as a network does (statfs(2), linux/magic.h).
const remoteTypes = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, also virtiofs
  0x01021997, // 9P
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x73757245, // Coda
  0x47504653, // GPFS
])

const remoteDevices = new Map<number, boolean>()

/** Whether a path lies on a file system that may be slow; learnt once a device. */
export function isRemote(path: string, facts: Pick<Stats, "dev">): boolean {
  const known = remoteDevices.get(facts.dev)
  if (known !== undefined) return known
  const remote = readType(path)
  remoteDevices.set(facts.dev, remote)
  return remote
}

function readType(path: string): boolean {
  if (process.platform !== "linux") return path.startsWith("\\\\")
  try {
    // A negative number comes from a signed 32-bit field on some platforms.
    return remoteTypes.has(Number(statfsSync(path).type) >>> 0)
  } catch {
    return false
  }
}
