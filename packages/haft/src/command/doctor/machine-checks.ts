import { execFile } from "node:child_process"
import { statfsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import type { Check, DoctorRequest } from "./check.js"

const leastNode = [20, 19] as const
const gigabyte = 1024 ** 3

/** Node, git, the optional packages, and room on the disk. */
export async function machineChecks({ places }: DoctorRequest): Promise<readonly Check[]> {
  return [
    nodeCheck(process.versions.node),
    await gitCheck(),
    packageCheck("sharp", "images are not made smaller for models"),
    packageCheck("unpdf", "PDF files cannot be read"),
    diskCheck(places.home),
  ]
}

/** Whether this version of Node is new enough. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const enough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  if (enough) return { name: "node", state: "ok", found: version }
  return { name: "node", state: "fail", found: version, fix: `install Node ${leastNode.join(".")} or newer` }
}

function gitCheck(): Promise<Check> {
  return new Promise((resolve) => {
    execFile("git", ["--version"], { timeout: 10_000 }, (error, stdout) => {
      if (!error) resolve({ name: "git", state: "ok", found: stdout.trim() })
      else resolve({ name: "git", state: "warn", found: "not found", fix: "install git for the git tools" })
    })
  })
}

function packageCheck(name: string, without: string): Check {
  const own = createRequire(import.meta.url)
  const ways = [() => own.resolve(name), () => createRequire(own.resolve("@haft/host")).resolve(name)]
  for (const way of ways) {
    try {
      way()
      return { name, state: "ok", found: "installed" }
    } catch {
      // The package of the host may see what this one does not.
    }
  }
  return { name, state: "warn", found: `not installed: ${without}`, fix: "run npm install without --omit=optional" }
}

function diskCheck(home: string): Check {
  try {
    const { bavail, bsize } = statfsSync(nearestExisting(home))
    const free = bavail * bsize
    const found = `${(free / gigabyte).toFixed(1)} GB free for ${home}`
    if (free < gigabyte / 100) return { name: "disk", state: "fail", found, fix: "make room: nothing can be recorded" }
    return free < gigabyte
      ? { name: "disk", state: "warn", found, fix: "make room for journal and history" }
      : { name: "disk", state: "ok", found }
  } catch (error) {
    return { name: "disk", state: "warn", found: `unknown: ${(error as Error).message}` }
  }
}

function nearestExisting(path: string): string {
  try {
    statfsSync(path)
    return path
  } catch (error) {
    if (dirname(path) === path) throw error
    return nearestExisting(dirname(path))
  }
}
