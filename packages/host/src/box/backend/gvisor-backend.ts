import { type BoxSettings, stretched } from "../box-options.js"
import { findGvisorHost } from "../gvisor/gvisor-host.js"
import { runInGvisor } from "../gvisor/run-in-gvisor.js"
import { openImageTree } from "../tree/image-tree.js"
import type { BoxBackend } from "./backend.js"

/** Commands over the root file system of an image behind gVisor, whose own kernel stands before that of the host. */
export function gvisorBackend(settings: BoxSettings): BoxBackend {
  const about = { name: "runsc", level: "gvisor" } as const
  const { imagesFolder, memoryMiB, deadlines } = settings
  return {
    ...about,
    async probe(image) {
      const host = await findGvisorHost(settings, image)
      const facts = { backend: about.name, level: about.level }
      return typeof host === "string" ? { ...facts, ok: false, why: host } : { ...facts, ok: true }
    },
    async run(job) {
      const began = performance.now()
      const host = await findGvisorHost(settings, job.image)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return {
          outcome: { type: "crashed", started: false, reason, words: "" },
          ...{ backend: about.name, nestedIn: "none", snapshot: false },
        }
      }
      const { programs, debugfs, label } = host
      const tree = await openImageTree(job.image, { imagesFolder, debugfs, signal: job.signal })
      const outcome = await runInGvisor(job, { programs, tree, memoryMiB, bootMs: stretched(deadlines.bootMs), began })
      return { outcome, backend: label, nestedIn: "none", snapshot: false }
    },
  }
}
