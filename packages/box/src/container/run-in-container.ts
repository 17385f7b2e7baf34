import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { markName, nextMark, type PreparedWall, withDefaults } from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { runProgram } from "../image/run-program.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import { guestEnvironment } from "../tree/guest-environment.js"
import type { ImageTree } from "../tree/image-tree.js"
import { runOpened } from "../tree/run-opened.js"
import { writablePlaces } from "../tree/writable-places.js"
import { containerArguments } from "./container-arguments.js"
import { takeContainerName } from "./container-names.js"
import { podmanEnvironment } from "./podman-environment.js"

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
  const mark = nextMark()
  let isGone = false
  try {
    const wall = await containerWall(job, { ...run, name, mark })
    const outcome = await runOpened(job, { wall, mark, bootMs: run.bootMs, began: run.began })
    // One that ended by itself has removed itself.
    isGone = outcome.type === "ran" && outcome.exitCode !== null
    return outcome
  } finally {
    if (!isGone) await remove(name)
    await forget()
  }
}

type WallRun = ContainerRun & { readonly name: string; readonly mark: string }

async function containerWall(job: BoxJob, run: WallRun): Promise<PreparedWall> {
  const { programs, tree, name, mark } = run
  const plan = {
    ...{ name, runtime: programs.runtime, root: tree.root },
    writable: await writablePlaces(tree.root, job.files),
    memoryBytes: run.memoryMiB * 1024 * 1024,
    processes: withDefaults().processes,
    userProcesses: await userProcessLimit(),
    // With the mark its processes are found and ended even when Haft itself was killed.
    environment: { ...guestEnvironment, [markName]: mark },
  }
  return {
    isolation: {
      ...{ level: "container", backend: "podman", profile: "work", network: "none" },
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
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "")
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
      await delay(pauseMs)
    }
  }
}
