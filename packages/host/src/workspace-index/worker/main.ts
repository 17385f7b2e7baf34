import { parentPort } from "node:worker_threads"
import { lookAtEntries, type SeenEntries, width } from "../look-at-entries.js"

/** Directories to look at. Their numbers go into one row, in this order. */
export interface LookRequest {
  /** Place and names of each directory in turn, with NUL between them; the names have slashes between them. */
  readonly text: string
  readonly numbers: Float64Array
}

/** What is not in the numbers, by position of the directory; those of which there is no more to say are left out. */
export type LookAnswer = ReadonlyMap<number, SeenEntries>

// The program of the worker thread that looks at files while the main thread reads names (facts-ahead.ts).
parentPort!.on("message", ({ text, numbers }: LookRequest) => {
  const parts = text.split("\0")
  const answer = new Map<number, SeenEntries>()
  let offset = 0
  for (let at = 0; at < parts.length; at += 2) {
    const names = parts[at + 1]!.split("/")
    const seen = lookAtEntries(parts[at]!, names, { numbers, offset })
    if (seen.linked.length > 0 || seen.texts || seen.isUnseen) answer.set(at / 2, seen)
    offset += names.length * width
  }
  parentPort!.postMessage(answer)
})
