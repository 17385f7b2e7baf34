import { StringDecoder } from "node:string_decoder"

/** Tells somebody who watches about output while it comes. */
export type OutputListener = (stream: "stdout" | "stderr", text: string) => void

// Somebody who watches reads at most so much; a flood must not cost more than the command itself.
const burstBytes = 1024 * 1024
const bytesPerMs = 256

/** Passes one stream on as text, cut between characters; what comes faster than anybody reads is left out and said. */
export function liveOutput(stream: "stdout" | "stderr", listener: OutputListener): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8")
  let budget = burstBytes
  let refilledMs = performance.now()
  let skipped = 0
  return (chunk) => {
    const now = performance.now()
    budget = Math.min(burstBytes, budget + (now - refilledMs) * bytesPerMs)
    refilledMs = now
    if (budget < chunk.length) {
      skipped += chunk.length
      return
    }
    budget -= chunk.length
    if (skipped > 0) {
      decoder.end()
      listener(stream, `\n[... ${skipped} bytes left out ...]\n`)
      skipped = 0
    }
    const text = decoder.write(chunk)
    if (text !== "") listener(stream, text)
  }
}
