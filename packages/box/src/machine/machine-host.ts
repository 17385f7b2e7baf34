import { lstat, readlink } from "node:fs/promises"
import { findOwnProgram } from "@haft/host"
import type { MachinePrograms, SystemFolder } from "./confine-machine.js"

/** Where programs of the system are looked for; never in a folder that a workspace could hold. */
export const systemProgramFolders = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
] as const

/** The programs that a machine needs, or the name of the first that is missing. */
export function findMachinePrograms(folders: readonly string[]): MachinePrograms | string {
  const found: Record<string, string> = {}
  for (const [key, name] of Object.entries(programNames)) {
    const path = findOwnProgram(name, folders)
    if (path === undefined) return name
    found[key] = path
  }
  return found as unknown as MachinePrograms
}

const programNames = {
  qemu: "qemu-system-x86_64",
  bwrap: "bwrap",
  prlimit: "prlimit",
  setpriv: "setpriv",
} as const satisfies Record<keyof MachinePrograms, string>

/** The top folders of programs and libraries, as they are on this host. */
export async function findSystemFolders(): Promise<readonly SystemFolder[]> {
  const found = await Promise.all(
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"].map(async (path) => {
      try {
        const facts = await lstat(path)
        return [facts.isSymbolicLink() ? { path, linksTo: await readlink(path) } : { path }]
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}
