import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs"
import { join } from "node:path"
import { bestEffort, isInside } from "@haft/contract"
import { temporaryFolders } from "../../files/session-folder.js"
import type { Mount } from "./mount.js"

/** Files in the place of those of the host. */
export interface BuiltFiles {
  /** Empty, mode 000. */
  readonly blank: string
  readonly hosts: string
  readonly resolver: string
}

/** Where commands keep what nobody else needs. */
export interface TemporaryPlaces {
  /** How much a command may keep in each file system in memory. */
  readonly temporaryBytes: number
  /** The folder of the session that is its /tmp. */
  readonly temporaryFolder: string
}

/** Programs, libraries and settings of the machine, with everything private to the sandbox in place of what is shared. */
export function systemMounts(files: BuiltFiles, places: TemporaryPlaces): readonly Mount[] {
  const { temporaryBytes, temporaryFolder } = places
  return [
    ...programFolders.flatMap(sameEntry),
    ...toolFolders.flatMap(sameEntry),
    ...sameEntry("/etc"),
    { kind: "processes", target: "/proc" },
    { kind: "devices", target: "/dev" },
    { kind: "memory", target: "/dev/shm", maxBytes: temporaryBytes, mode: 0o1777 },
    // The number of processors, for programs that choose how many threads to start.
    ...sameEntry("/sys/devices/system/cpu"),
    { kind: "memory", target: "/run", maxBytes: smallBytes, mode: 0o755 },
    { kind: "memory", target: "/var", maxBytes: temporaryBytes, mode: 0o755 },
    // Relative, so that a root below it is mounted at the right place.
    { kind: "link", target: "/var/run", text: "../run" },
    ...temporaryFolders.map((target): Mount => ({ kind: "write", source: temporaryFolder, target })),
    ...builtFile("/etc/resolv.conf", files.resolver),
    ...builtFile("/etc/hosts", files.hosts),
  ]
}

/** Folders that are the sandbox's own, whatever the host has there. */
export const privateFolders = ["/proc", "/sys", "/dev", "/run", "/tmp", "/var"] as const

const smallBytes = 16 * 1024 * 1024
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
const toolFolders = ["/opt", "/nix/store", "/snap", "/home/linuxbrew/.linuxbrew"]

/** The entry as it is on the host: a link stays a link, a directory is bound, nothing stays nothing. */
function sameEntry(path: string): readonly Mount[] {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts?.isSymbolicLink()) return [{ kind: "link", target: path, text: readlinkSync(path) }]
  return facts?.isDirectory() ? [{ kind: "read", source: path, target: path }] : []
}

/** Puts a built file where the host has one; a link to it is followed into the part of the view that is in memory. */
function builtFile(path: string, source: string): readonly Mount[] {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts) return []
  const target = facts.isSymbolicLink() ? resolved(path) : path
  // A link that points elsewhere dangles inside the sandbox, which is as good as an empty file.
  if (target === undefined || !["/etc", "/run"].some((folder) => isInside(target, folder))) return []
  return [{ kind: "read", source, target }]
}

function resolved(path: string): string | undefined {
  return bestEffort("a link that leads nowhere dangles inside too", () => realpathSync(path))
}

/**
 * Covers what user 0 owns below /etc and others may not read. Without capabilities user 0 is an ordinary user, but one
 * that owns these files; files of others are closed to it anyway.
 */
export function privateSettings(folder: string = "/etc"): readonly Mount[] {
  const found: Mount[] = []
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const name of namesIn(path)) {
      const entry = join(path, name)
      const facts = lstatSync(entry, { throwIfNoEntry: false })
      if (!facts || facts.isSymbolicLink()) continue
      const what = facts.isDirectory() ? "directory" : "file"
      if (isOpenToOthers(facts, what)) {
        if (what === "directory") pending.push(entry)
      } else if (isOpenToRoot(facts) && (what === "directory" || facts.size > 0)) {
        found.push({ kind: "hide", target: entry, what })
      }
    }
  }
  return found
}

/** By its owner or its group; an empty file keeps no secret. */
function isOpenToRoot({ uid, gid, mode }: Stats): boolean {
  return uid === 0 || (gid === 0 && (mode & 0o040) !== 0)
}

function isOpenToOthers({ mode }: Stats, what: "file" | "directory"): boolean {
  const needed = what === "directory" ? 0o005 : 0o004
  return (mode & needed) === needed
}

function namesIn(path: string): readonly string[] {
  return bestEffort("what nobody can list is not shown either", () => readdirSync(path)) ?? []
}
