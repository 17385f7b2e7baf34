import { readFileSync, statfsSync, watch } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { bestEffort } from "@haft/contract"
import { findProgram } from "@haft/host"
import { detectGit } from "../../git/detect-git.js"
import { type Check, type DoctorRequest, searchPathOf, signalOf } from "./check.js"

const leastNode = [20, 19] as const
const gigabyte = 1024 ** 3

/** Node, the shell, git, the optional package, space on the disk, and whether folders can be watched. */
export async function machineChecks(request: DoctorRequest): Promise<readonly Check[]> {
  return [
    nodeCheck(process.versions.node),
    await shellCheck(request),
    await gitCheck(request),
    packageCheck("sharp", "images are not made smaller for models"),
    diskCheck(request.places.home),
    watchCheck(request.roots[0] ?? request.places.home),
  ]
}

/** Whether this version of Node is new enough. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const enough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  if (enough) return { name: "node", state: "ok", found: version }
  return { name: "node", state: "fail", found: version, fix: `install Node ${leastNode.join(".")} or newer` }
}

async function shellCheck(request: DoctorRequest): Promise<Check> {
  const names = process.platform === "win32" ? ["pwsh", "powershell"] : ["bash"]
  for (const name of names) {
    const found = await findProgram(name, { path: searchPathOf(request), roots: request.roots })
    if (found !== undefined) return { name: "shell", state: "ok", found }
  }
  const fix = `install ${names[0]} and see that it is on the PATH`
  return { name: "shell", state: "fail", found: "not found: command lines are refused", fix }
}

async function gitCheck(request: DoctorRequest): Promise<Check> {
  const { places, roots } = request
  const git = await detectGit({ path: searchPathOf(request), roots, home: places.userHome, ...signalOf(request) })
  switch (git.state) {
    case "ready":
      return { name: "git", state: "ok", found: `${git.version} (${git.path})` }
    case "old":
      return { name: "git", state: "warn", found: `${git.version} (${git.path}) is too old`, fix: git.fix }
    case "missing":
      return { name: "git", state: "warn", found: "not found: git tools are refused", fix: git.fix }
  }
}

function packageCheck(name: string, without: string): Check {
  const own = createRequire(import.meta.url)
  // In the repository the package that needs it may see what this one does not.
  const ways = [() => own, ...["@haft/host", "@haft/compute"].map((each) => () => createRequire(own.resolve(each)))]
  for (const way of ways) {
    const found = bestEffort("the next way may find it", () => way().resolve(name))
    if (found !== undefined) return { name, state: "ok", found: "installed" }
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

// Below this a workspace of ordinary size has more folders than may be watched.
const fewWatches = 32_768

/** Without watches each command reads the whole workspace again. */
export function watchCheck(folder: string, limit = watchLimit()): Check {
  const name = "file watches"
  const fix = "raise fs.inotify.max_user_watches and max_user_instances with sysctl"
  try {
    watch(folder, { persistent: false }).close()
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    return { name, state: "warn", found: `refused (${code}): each command reads the whole workspace`, fix }
  }
  if (limit === undefined) return { name, state: "ok", found: "allowed" }
  if (limit >= fewWatches) return { name, state: "ok", found: `${limit} may be watched` }
  const found = `${limit} may be watched: with more folders each command reads the whole workspace`
  return { name, state: "warn", found, fix }
}

function watchLimit(): number | undefined {
  const text = bestEffort("only Linux has such a limit", () =>
    readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"),
  )
  return text === undefined ? undefined : Number(text)
}
