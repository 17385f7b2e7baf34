import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { OutputCapture } from "./capture-output.js"
import { defaultSidecarLimits, type OutputSidecar, outputSidecar, type SidecarLimits } from "./output-sidecar.js"

/** What happens to the output of a program. */
export interface CollectOptions {
  readonly keepBytes: number
  readonly onOutput?: OutputListener
  readonly sidecar: { readonly folder: string; readonly name: string; readonly limits?: SidecarLimits }
}

/** The output of a program while it comes. */
export interface CollectedOutput {
  readonly capture: OutputCapture
  readonly sidecar: OutputSidecar
  /** Milliseconds since the last piece. */
  silentMs(): number
  /** Settles when both streams have ended, or after this time. */
  ended(limitMs: number): Promise<void>
  /** Stops reading. */
  stop(): void
}

/** Reads both streams as fast as the disk takes what does not fit in memory. */
export function collectOutput(
  child: Pick<ChildProcess, "stdout" | "stderr">,
  { keepBytes, onOutput, sidecar }: CollectOptions,
): CollectedOutput {
  const sources = [child.stdout!, child.stderr!]
  const file = outputSidecar({
    folder: sidecar.folder,
    name: sidecar.name,
    limits: sidecar.limits ?? defaultSidecarLimits,
    onRoom: () => {
      for (const source of sources) source.resume()
    },
  })
  const capture = new OutputCapture(keepBytes, file)
  let lastMs = performance.now()
  const read = (source: Readable, name: "stdout" | "stderr"): void => {
    const tell = onOutput && liveOutput(name, onOutput)
    source.on("data", (chunk: Buffer) => {
      lastMs = performance.now()
      if (!capture.take(name, chunk)) for (const each of sources) each.pause()
      tell?.(chunk)
    })
    // The other end may vanish in any way; what was read until then counts.
    source.on("error", () => undefined)
  }
  read(sources[0]!, "stdout")
  read(sources[1]!, "stderr")
  const closed = Promise.all(sources.map((source) => new Promise((resolve) => source.once("close", resolve))))
  return {
    capture,
    sidecar: file,
    silentMs: () => performance.now() - lastMs,
    async ended(limitMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, limitMs)
      })
      await Promise.race([closed, late])
      clearTimeout(timer)
    },
    stop() {
      for (const source of sources) source.destroy()
    },
  }
}

/** Tells somebody who watches about output while it comes. */
type OutputListener = (stream: "stdout" | "stderr", text: string) => void

// Somebody who watches reads at most so much; a flood must not cost more than the command itself.
const burstBytes = 1024 * 1024
const bytesPerMs = 256

/** Passes one stream on as text, cut between characters; what comes faster than anybody reads is left out and said. */
function liveOutput(stream: "stdout" | "stderr", listener: OutputListener): (chunk: Buffer) => void {
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
