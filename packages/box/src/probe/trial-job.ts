import type { BoxJob } from "../backend/backend.js"
import type { Image } from "../image/image.js"
import { takeScratchPath } from "../scratch.js"

/** What a backend is tried with. */
export interface BoxTrial {
  readonly image: Image
  readonly signal: AbortSignal
}

const timeoutMs = 30_000
const keepBytes = 10_000

/** A short command of Haft's own, to see whether a backend works; its output always fits. */
export async function trialJob(image: Image, command: string, signal: AbortSignal): Promise<BoxJob> {
  const sidecar = { folder: await takeScratchPath(), name: "trial" }
  return { image, command, files: [], timeoutMs, keepBytes, sidecar, signal }
}
