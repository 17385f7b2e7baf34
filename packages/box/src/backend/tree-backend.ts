import { cancelled } from "@haft/host"
import { type BoxSettings, stretched } from "../box-options.js"
import type { Image } from "../image/image.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import type { BoxLevel } from "../refusal.js"
import { type ImageTree, openImageTree } from "../tree/image-tree.js"
import type { BoxBackend, BoxJob } from "./backend.js"

/** What ways to isolate commands over the root file system of an image differ in. */
export interface TreeWay<Host extends { readonly debugfs: string }> {
  readonly name: string
  readonly level: BoxLevel
  /** What the machine has for it, or the reason why it does not work here. */
  find(image: Image, signal: AbortSignal): Promise<Host | string>
  /** Name and version. */
  label(host: Host): string
  run(job: BoxJob, over: TreeRun<Host>): Promise<MachineOutcome>
}

/** What one run stands on. */
export interface TreeRun<Host> {
  readonly host: Host
  readonly tree: ImageTree
  readonly memoryMiB: number
  readonly bootMs: number
  readonly began: number
}

/** Makes the backend of such a way. */
export function treeBackend<Host extends { readonly debugfs: string }>(
  { imagesFolder, memoryMiB, deadlines }: BoxSettings,
  way: TreeWay<Host>,
): BoxBackend {
  const { name, level } = way
  const around = { nestedIn: "none", snapshot: false }
  const find = async (image: Image, signal: AbortSignal): Promise<Host | string> => {
    const host = await way.find(image, signal)
    // A trial that was given up proves nothing about the host.
    if (signal.aborted) throw cancelled(signal)
    return host
  }
  return {
    name,
    level,
    async probe(image, signal) {
      const host = await find(image, signal)
      return typeof host === "string"
        ? { backend: name, level, ok: false, why: host }
        : { backend: name, level, ok: true }
    },
    async run(job) {
      const began = performance.now()
      const host = await find(job.image, job.signal)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return { outcome: { type: "crashed", started: false, reason, words: "" }, backend: name, ...around }
      }
      const tree = await openImageTree(job.image, { imagesFolder, debugfs: host.debugfs, signal: job.signal })
      const outcome = await way.run(job, { host, tree, memoryMiB, bootMs: stretched(deadlines.bootMs), began })
      return { outcome, backend: way.label(host), ...around }
    },
  }
}
