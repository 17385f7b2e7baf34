import type { BoxJob } from "../backend/backend.js"
import type { Image } from "../image/image.js"
import { scratchPath } from "../scratch.js"

const timeoutMs = 30_000
const keepBytes = 10_000

/** A short command of Haft's own, to see whether a backend works; its output always fits. */
export function trialJob(image: Image, command: string): BoxJob {
  const sidecar = { folder: scratchPath(), name: "trial" }
  return { image, command, files: [], timeoutMs, keepBytes, sidecar, signal: new AbortController().signal }
}
