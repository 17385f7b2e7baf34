import { readFile, rm } from "node:fs/promises"
import { createLimiter, nextMark, withDefaults } from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import { makeScratchFolder } from "../scratch.js"
import type { ImageTree } from "../tree/image-tree.js"
import { runOpened } from "../tree/run-opened.js"
import { endGroup } from "./end-group.js"
import { type GvisorPrograms, gvisorPlaces } from "./gvisor-arguments.js"
import { gvisorWall } from "./gvisor-wall.js"

/** Where and with how much memory a job runs. */
export interface GvisorRun {
  readonly programs: GvisorPrograms
  readonly tree: ImageTree
  readonly memoryMiB: number
  /** How long it may take until the command starts. */
  readonly bootMs: number
  /** When the work on this job began. */
  readonly began: number
}

// What gVisor itself may use over the memory of the command, and its processes: one at least for each of the command's.
const overheadMiB = 256
const mostProcesses = 1024

/** Runs a job behind gVisor over the tree of an image; nothing of it is left afterwards. */
export async function runInGvisor(job: BoxJob, run: GvisorRun): Promise<MachineOutcome> {
  const memoryBytes = (run.memoryMiB + overheadMiB) * 1024 * 1024
  const limiter = createLimiter(withDefaults({ processes: mostProcesses, memoryBytes }))
  if (limiter.joins.length === 0) return unlimited
  const folder = await makeScratchFolder()
  const mark = nextMark()
  try {
    const wall = await gvisorWall(job, { ...run, limiter, folder, mark })
    const outcome = await runOpened(job, { wall, mark, bootMs: run.bootMs, began: run.began })
    return withComplaint(outcome, await complaintIn(gvisorPlaces(folder).log))
  } finally {
    // Where gVisor has ended by itself, the processes that served it may still be on their way out.
    await endGroup(limiter.joins[0]!)
    await limiter.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const unlimited: MachineOutcome = {
  ...{ type: "crashed", started: false, words: "" },
  reason: "this user has no control groups that could limit its memory",
}

/** An exit code of gVisor itself is none of the command. */
function withComplaint(outcome: MachineOutcome, complaint: string | undefined): MachineOutcome {
  if (complaint === undefined || outcome.type === "aborted") return outcome
  if (outcome.type === "crashed") return { ...outcome, words: complaint }
  if (outcome.exitCode === null) return outcome
  return { type: "crashed", started: true, reason: "gVisor itself failed", words: complaint }
}

/** What gVisor could not do, in its own words; its log holds errors only. */
async function complaintIn(log: string): Promise<string | undefined> {
  const text = (await readFile(log, "utf8").catch(() => "")).trim()
  const last = text.split("\n").at(-1)!
  return last === "" ? undefined : (/"msg":"([^"]*)"/.exec(last)?.[1] ?? last)
}
