import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import { OutputCapture } from "./capture-output.js"
import { liveOutput, type OutputListener } from "./live-output.js"
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
