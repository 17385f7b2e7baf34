import { archivePrograms } from "./family/archive-programs.js"
import { factPrograms } from "./family/fact-programs.js"
import { fileWriters } from "./family/file-writers.js"
import { interpreters } from "./family/interpreters.js"
import { listingPrograms } from "./family/listing-programs.js"
import { networkPrograms } from "./family/network-programs.js"
import { packageManagers } from "./family/package-managers.js"
import { textReaders } from "./family/text-readers.js"
import { git } from "./git/git.js"
import type { Program } from "./program.js"

/** What is known about a program; undefined for every other, and for one that is not in a folder of the system. */
export function knownProgram(name: string): Program | undefined {
  const plain = programName(name)
  return plain === undefined ? undefined : programs.get(plain)
}

/** The name without its folder; undefined when the folder is not one where the system keeps its programs. */
export function programName(name: string): string | undefined {
  const slash = name.lastIndexOf("/")
  if (slash < 0) return name
  return systemFolders.has(name.slice(0, slash)) ? name.slice(slash + 1) : undefined
}

const systemFolders = new Set(["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"])

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(interpreters),
  ...Object.entries(packageManagers),
  ...Object.entries(networkPrograms),
  ...Object.entries(archivePrograms),
  ...Object.entries(fileWriters),
  ...Object.entries(listingPrograms),
  ...Object.entries(textReaders),
  ...Object.entries(factPrograms),
  ["git", git],
])
