import { type BoxSettings, stretched } from "../box-options.js"
import { findContainerHost } from "../container/container-host.js"
import { runInContainer } from "../container/run-in-container.js"
import { openImageTree } from "../tree/image-tree.js"
import type { BoxBackend } from "./backend.js"

/** Containers of podman over the root file system of an image: the host's kernel serves them too. */
export function containerBackend(settings: BoxSettings): BoxBackend {
  const about = { name: "podman", level: "container" } as const
  const { imagesFolder, memoryMiB, deadlines } = settings
  return {
    ...about,
    async probe(image) {
      const host = await findContainerHost(settings, image)
      const facts = { backend: about.name, level: about.level }
      return typeof host === "string" ? { ...facts, ok: false, why: host } : { ...facts, ok: true }
    },
    async run(job) {
      const began = performance.now()
      const host = await findContainerHost(settings, job.image)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return {
          outcome: { type: "crashed", started: false, reason, words: "" },
          ...{ backend: about.name, nestedIn: "none", snapshot: false },
        }
      }
      const { programs, debugfs, label } = host
      const tree = await openImageTree(job.image, { imagesFolder, debugfs, signal: job.signal })
      const bootMs = stretched(deadlines.bootMs)
      const outcome = await runInContainer(job, { programs, imagesFolder, tree, memoryMiB, bootMs, began })
      return { outcome, backend: label, nestedIn: "none", snapshot: false }
    },
  }
}
