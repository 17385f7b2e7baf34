import { type BoxSettings, stretched } from "../box-options.js"
import { openImageTree } from "../tree/image-tree.js"
import { findNamespaceHost } from "../namespace/namespace-host.js"
import { runInTree } from "../namespace/run-in-tree.js"
import type { BoxBackend } from "./backend.js"

/** Commands over the root file system of an image, behind the wall that `bash` has: the host's kernel serves them too. */
export function namespaceBackend(settings: BoxSettings): BoxBackend {
  const about = { name: "bwrap", level: "namespace" } as const
  const { imagesFolder, memoryMiB, deadlines } = settings
  return {
    ...about,
    async probe() {
      const host = await findNamespaceHost(settings)
      const facts = { backend: about.name, level: about.level }
      return typeof host === "string" ? { ...facts, ok: false, why: host } : { ...facts, ok: true }
    },
    async run(job) {
      const began = performance.now()
      const host = await findNamespaceHost(settings)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return {
          outcome: { type: "crashed", started: false, reason, words: "" },
          ...{ backend: about.name, nestedIn: "none", snapshot: false },
        }
      }
      const tree = await openImageTree(job.image, { imagesFolder, debugfs: host.debugfs, signal: job.signal })
      const outcome = await runInTree(job, { host, tree, memoryMiB, bootMs: stretched(deadlines.bootMs), began })
      return { outcome, backend: host.chosen.detected.label, nestedIn: "none", snapshot: false }
    },
  }
}
