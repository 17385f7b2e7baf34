import { mkdirSync, writeFileSync } from "node:fs"
import { type Limiter, markName, type PreparedWall } from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { inGroups } from "../in-groups.js"
import { guestEnvironment } from "../tree/guest-environment.js"
import { writablePlaces } from "../tree/writable-places.js"
import { bundleConfiguration } from "./bundle.js"
import { gvisorArguments, gvisorPlaces } from "./gvisor-arguments.js"
import type { GvisorRun } from "./run-in-gvisor.js"

/** What one wall is made from. */
export interface GvisorWallRun extends Pick<GvisorRun, "programs" | "tree" | "memoryMiB"> {
  readonly limiter: Limiter
  /** A folder of this run alone. */
  readonly folder: string
  readonly mark: string
}

/** A wall of gVisor around commands over the tree of an image. */
export async function gvisorWall(job: BoxJob, run: GvisorWallRun): Promise<PreparedWall> {
  const { programs, limiter, folder, mark } = run
  const { root } = run.tree
  const writable = await writablePlaces(root, job.files)
  const memoryBytes = run.memoryMiB * 1024 * 1024
  const environment = { ...guestEnvironment, [markName]: mark }
  return {
    isolation: {
      ...{ level: "namespaces", backend: "runsc", profile: "work", network: "none" },
      ...{ limits: { enforcedBy: limiter.enforcedBy }, notes: [] },
    },
    launch(argv) {
      const { bundle, configuration } = gvisorPlaces(folder)
      mkdirSync(bundle)
      const plan = { root, writable, memoryBytes, environment, argv }
      writeFileSync(configuration, JSON.stringify(bundleConfiguration(plan)))
      const [file, ...args] = inGroups(limiter.joins, gvisorArguments(programs, folder))
      // The shell and setpriv are found by their paths; gVisor needs no variable.
      return { file: file!, args, env: {}, cwd: "/", extraFds: [] }
    },
    release: async () => ({ quarantined: [] }),
  }
}
