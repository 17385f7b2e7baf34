import { randomBytes } from "node:crypto"
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort, ignoreMissing } from "@haft/contract"
import { isAlive, nextProcessTag, type PreparedSandbox, pause, tagName, withDefaults } from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { runProgram } from "../image/run-program.js"
import { filesRefused, type GuestFile } from "../job/check-files.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import { containerArguments, podmanEnvironment } from "./container-arguments.js"
import type { ImageTree } from "./image-tree.js"
import { runOpened } from "./run-opened.js"

/** Podman with the program that makes its containers, as absolute paths. */
export interface ContainerPrograms {
  readonly podman: string
  readonly runtime: string
  /** Where podman looks for the programs that it needs itself. */
  readonly folders: readonly string[]
}

/** Where and with how much memory a job runs. */
export interface ContainerRun {
  readonly programs: ContainerPrograms
  readonly imagesFolder: string
  readonly tree: ImageTree
  readonly memoryMiB: number
  /** How long it may take until the command starts. */
  readonly bootMs: number
  /** When the work on this job began. */
  readonly began: number
}

/** Runs a job in a container over the tree of an image; the container is gone afterwards. */
export async function runInContainer(job: BoxJob, run: ContainerRun): Promise<MachineOutcome> {
  const remove = (name: string) => removeContainer(name, run.programs)
  const { name, forget } = await takeContainerName(run.imagesFolder, remove)
  const tag = nextProcessTag()
  let isGone = false
  try {
    const sandbox = await containerSandbox(job, { ...run, name, tag })
    const outcome = await runOpened(job, { sandbox, tag, bootMs: run.bootMs, began: run.began })
    // One that ended by itself has removed itself.
    isGone = outcome.type === "ran" && outcome.exitCode !== null
    return outcome
  } finally {
    if (!isGone) await remove(name)
    await forget()
  }
}

const guestEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/home/box",
  USER: "box",
  LOGNAME: "box",
  LANG: "C.UTF-8",
  TERM: "dumb",
} as const

type SandboxRun = ContainerRun & { readonly name: string; readonly tag: string }

async function containerSandbox(job: BoxJob, run: SandboxRun): Promise<PreparedSandbox> {
  const { programs, tree, name, tag } = run
  const plan = {
    ...{ name, runtime: programs.runtime, root: tree.root },
    writable: await writablePlaces(tree.root, job.files),
    memoryBytes: run.memoryMiB * 1024 * 1024,
    processes: withDefaults().processes,
    userProcesses: await userProcessLimit(),
    // With the tag its processes are found and ended even when Haft itself was killed.
    environment: { ...guestEnvironment, [tagName]: tag },
  }
  return {
    isolation: {
      ...{ level: "container", backend: "podman", profile: "workspace-write", network: "none" },
      ...{ limits: { enforcedBy: "none" }, notes: [] },
    },
    launch: (argv) => ({
      file: programs.podman,
      args: containerArguments({ ...plan, argv }),
      env: podmanEnvironment(programs.folders),
      cwd: "/",
      extraFds: [],
    }),
    release: async () => ({ quarantined: [] }),
  }
}

// Podman lowers its own limit to what the kernel can count, and cannot raise it again. The control group is what holds
// the command: this limit counts all processes of a user, also those outside.
const mostUserProcesses = 16_384

/** What this process may not exceed cannot be given on. */
async function userProcessLimit(): Promise<number> {
  const limits = (await bestEffort("other systems have no such file", readFile("/proc/self/limits", "utf8"))) ?? ""
  const hard = /^Max processes\s+\S+\s+(\d+)/m.exec(limits)?.[1]
  return Math.min(mostUserProcesses, Number(hard ?? mostUserProcesses))
}

// Its processes are dead already; podman takes a moment to see it, and refuses to remove what is just ending.
const attempts = 50
const pauseMs = 100

async function removeContainer(name: string, { podman, folders }: ContainerPrograms): Promise<void> {
  const environment = podmanEnvironment(folders)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runProgram([podman, "rm", "--force", "--ignore", "--time", "0", name], { environment })
      return
    } catch (error) {
      if (attempt === attempts) throw error
      await pause(pauseMs)
    }
  }
}

/** A name that is written down for as long as a container may have it. */
interface ContainerName {
  readonly name: string
  /** To be called when the container is gone. */
  forget(): Promise<void>
}

const pattern = /^haft-box-(\d+)-[0-9a-f]{32}$/

/**
 * Takes a new name. Podman keeps what it knows about a container even when all of its processes were killed, so names
 * are written down first, and containers of Haft processes that ended without cleaning up are removed on the way.
 */
async function takeContainerName(
  imagesFolder: string,
  remove: (name: string) => Promise<void>,
): Promise<ContainerName> {
  // No image can have this name.
  const folder = join(imagesFolder, ".containers")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await readdir(folder)) {
    const pid = pattern.exec(left)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    await remove(left)
    await rm(join(folder, left), { force: true })
  }
  const name = `haft-box-${process.pid}-${randomBytes(16).toString("hex")}`
  await writeFile(join(folder, name), "")
  return { name, forget: () => rm(join(folder, name), { force: true }) }
}

// The sandbox's own, or writable, whatever the image has there.
const ownFolders = ["proc", "sys", "dev", "run", "tmp", "work", "home", "lost+found"]
const writableTrees = /^(home|run|tmp|var\/tmp|work)\//

/** The entries at the top of an image that a command sees read-only. */
async function readOnlyEntries(root: string): Promise<readonly string[]> {
  return (await readdir(root)).filter((name) => !ownFolders.includes(name)).sort()
}

/** Absolute paths of the folders that are memory for a command over a read-only image: its own, and those that its files need. */
async function writablePlaces(root: string, files: readonly GuestFile[]): Promise<readonly string[]> {
  const inVar = (await isFolder(join(root, "var/tmp"))) ? ["/var/tmp"] : []
  return ["/tmp", "/run", "/work", "/home", ...inVar, ...newFolders(files, await readOnlyEntries(root))]
}

/** Folders at the top that only the files of this job need; a file in a folder of the image has no place. */
function newFolders(files: readonly GuestFile[], entries: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const { path } of files) {
    if (writableTrees.test(path)) continue
    const [top, ...rest] = path.split("/") as [string, ...string[]]
    if (rest.length === 0) throw filesRefused(`/${path}`, "the top folder is read-only at this isolation")
    if (entries.includes(top)) throw filesRefused(`/${path}`, `"/${top}" of the image is read-only at this isolation`)
    names.add(top)
  }
  return [...names].sort().map((name) => `/${name}`)
}

async function isFolder(path: string): Promise<boolean> {
  return (await ignoreMissing(lstat(path)))?.isDirectory() ?? false
}
