import { markName, nextMark } from "../../process/call-mark.js"
import { type ProcessEnd, runProcess } from "../../process/run-process.js"
import type { Isolation } from "@haft/contract"
import type { WallPlan } from "../../sandbox/backend.js"
import { createLaunch, type OwnedLaunch } from "../../sandbox/create-launch.js"
import { createLimiter } from "../../sandbox/limits/limiter.js"
import { withDefaults } from "../../sandbox/limits/limits.js"
import type { PreparedWall } from "../../sandbox/sandbox.js"
import { withVariant } from "../../sandbox/with-variant.js"
import type { BoxJob } from "../backend/backend.js"
import { jobArchive } from "../job/job-archive.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import type { ImageTree } from "./image-tree.js"
import type { NamespaceHost } from "./namespace-host.js"
import { treeView } from "./tree-view.js"

/** Where and with how much memory a job runs. */
export interface TreeRun {
  readonly host: NamespaceHost
  readonly tree: ImageTree
  readonly memoryMiB: number
  /** When the work on this job began. */
  readonly began: number
}

const mebibyte = 1024 * 1024
const unpackFailed = "haft: the files of the box could not be unpacked"

/** Unpacks what standard input brings, and becomes the command; its words are not those of a command. */
const script = [
  `tar -x -o -f - -C / || { echo "${unpackFailed}" >&2; exit 125; }`,
  "shell=/bin/sh; [ -x /bin/bash ] && shell=/bin/bash",
  "export SHELL=$shell; ulimit -c 0",
  "exec $shell /run/box/command < /dev/null",
].join("\n")

/** Runs a job behind a wall whose view is the image; the whole tree of its processes is gone afterwards. */
export async function runInTree(job: BoxJob, run: TreeRun): Promise<MachineOutcome> {
  const memoryBytes = run.memoryMiB * mebibyte
  const limiter = createLimiter(withDefaults({ memoryBytes, temporaryBytes: memoryBytes / 2 }))
  const mark = nextMark()
  try {
    const wall = await treeWall(job, { ...run, limiter, mark })
    const startedAt = performance.now()
    // Files are text and names are text, so the archive is text as well.
    const input = Buffer.from(jobArchive(job.command, job.files)).toString("utf8")
    const end = await runProcess({ ...job, wall, mark, argv: ["/bin/sh", "-c", script], input }).finally(wall.release)
    return outcomeOf(end, { began: run.began, startedAt })
  } finally {
    await limiter.close()
  }
}

function outcomeOf(end: ProcessEnd, { began, startedAt }: { began: number; startedAt: number }): MachineOutcome {
  if (end.aborted) return { type: "aborted" }
  if (end.exitCode === 125 && end.stderr.text.includes(unpackFailed)) {
    const words = end.stderr.text.split("\n")[0] ?? ""
    return { type: "crashed", started: false, reason: "the files could not be unpacked", words }
  }
  // A signal to the command is told by the wall as its exit code; a signal to the wall itself is none of it.
  if (end.exitCode === null && !end.timedOut) {
    return { type: "crashed", started: true, reason: `the wall was ended by ${end.signal}`, words: "" }
  }
  return {
    type: "ran",
    stdout: end.stdout,
    stderr: end.stderr,
    ...(end.outputPath !== undefined && { outputPath: end.outputPath }),
    exitCode: end.exitCode,
    bootMs: Math.round(startedAt - began),
    runMs: Math.round(performance.now() - startedAt),
  }
}

type WallRun = TreeRun & { readonly limiter: ReturnType<typeof createLimiter>; readonly mark: string }

async function treeWall(job: BoxJob, { host, tree, limiter, mark }: WallRun): Promise<PreparedWall> {
  const { chosen, files } = host
  const view = await treeView({
    ...{ root: tree.root, files: job.files, built: files, memoryBytes: limiter.limits.temporaryBytes },
  })
  const environment = { ...guestEnvironment, [markName]: mark }
  const filterFile = files.filter
  const launches: OwnedLaunch[] = []
  return {
    isolation: isolationOf(chosen.detected.label, limiter.enforcedBy),
    launch(argv) {
      const plan: WallPlan = {
        ...{ argv, directory: "/work", profile: "work", identity: chosen.identity, environment },
        mounts: withVariant(view, chosen.probe.variant),
        blankFile: files.blank,
        ...(filterFile !== undefined && { filterFile }),
        limits: limiter.limits,
        limitProcesses: limiter.joins.length === 0,
        variant: chosen.probe.variant,
      }
      const launch = createLaunch({
        ...{ backend: chosen.backend, wrapped: chosen.backend.wrap(plan, chosen.detected), limiter, environment },
        ...(filterFile !== undefined && { filterFile }),
        folder: files.folder,
        // What the machine allowed before, it does not allow now.
        onFailure: () => chosen.cache.drop(),
      })
      launches.push(launch)
      return launch
    },
    async release() {
      for (const launch of launches) launch.dispose()
      return { quarantined: [] }
    },
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

function isolationOf(backend: string, enforcedBy: Isolation["limits"]["enforcedBy"]): Isolation {
  return { level: "namespaces", backend, profile: "work", network: "none", limits: { enforcedBy }, notes: [] }
}
