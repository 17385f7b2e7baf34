import type { Isolation } from "@haft/contract"
import {
  createLaunch,
  createLimiter,
  markName,
  nextMark,
  type OwnedLaunch,
  type PreparedWall,
  type WallPlan,
  withDefaults,
  withVariant,
} from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import { guestEnvironment } from "../tree/guest-environment.js"
import type { ImageTree } from "../tree/image-tree.js"
import { runOpened } from "../tree/run-opened.js"
import type { NamespaceHost } from "./namespace-host.js"
import { treeView } from "./tree-view.js"

/** Where and with how much memory a job runs. */
export interface TreeRun {
  readonly host: NamespaceHost
  readonly tree: ImageTree
  readonly memoryMiB: number
  /** How long it may take until the command starts. */
  readonly bootMs: number
  /** When the work on this job began. */
  readonly began: number
}

const mebibyte = 1024 * 1024

/** Runs a job behind a wall whose view is the image; the whole tree of its processes is gone afterwards. */
export async function runInTree(job: BoxJob, run: TreeRun): Promise<MachineOutcome> {
  const memoryBytes = run.memoryMiB * mebibyte
  const limiter = createLimiter(withDefaults({ memoryBytes, temporaryBytes: memoryBytes / 2 }))
  const mark = nextMark()
  try {
    const wall = await treeWall(job, { ...run, limiter, mark })
    return await runOpened(job, { wall, mark, bootMs: run.bootMs, began: run.began }).finally(wall.release)
  } finally {
    await limiter.close()
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
        program: argv[0] ?? "",
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

function isolationOf(backend: string, enforcedBy: Isolation["limits"]["enforcedBy"]): Isolation {
  return { level: "namespaces", backend, profile: "work", network: "none", limits: { enforcedBy }, notes: [] }
}
