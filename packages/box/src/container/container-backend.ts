import { cancelled } from "@haft/host"
import type { BoxBackend } from "../backend/backend.js"
import { type BoxSettings, stretched } from "../box-options.js"
import type { Image } from "../image/image.js"
import { type ContainerHost, findContainerHost } from "./container-host.js"
import { openImageTree } from "./image-tree.js"
import { runInContainer } from "./run-in-container.js"

/** Containers of podman over the root file system of an image: the host's kernel serves them too. */
export function containerBackend(settings: BoxSettings): BoxBackend {
  const { imagesFolder, memoryMiB, deadlines } = settings
  const about = { name: "podman", level: "container" } as const
  const around = { nestedIn: "none", snapshot: false }
  const find = async (image: Image, signal: AbortSignal): Promise<ContainerHost | string> => {
    const host = await findContainerHost(settings, { image, signal })
    // A trial that was given up proves nothing about the host.
    if (signal.aborted) throw cancelled(signal)
    return host
  }
  return {
    ...about,
    async probe(image, signal) {
      const host = await find(image, signal)
      const probe = { backend: about.name, level: about.level }
      return typeof host === "string" ? { ...probe, ok: false, why: host } : { ...probe, ok: true }
    },
    async run(job) {
      const began = performance.now()
      const host = await find(job.image, job.signal)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return { outcome: { type: "crashed", started: false, reason, words: "" }, backend: about.name, ...around }
      }
      const { programs, debugfs, label } = host
      const tree = await openImageTree(job.image, { imagesFolder, debugfs, signal: job.signal })
      const bootMs = stretched(deadlines.bootMs)
      const outcome = await runInContainer(job, { programs, imagesFolder, tree, memoryMiB, bootMs, began })
      return { outcome, backend: label, ...around }
    },
  }
}
