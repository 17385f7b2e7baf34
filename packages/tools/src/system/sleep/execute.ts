import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Waits for the whole time, or until the call is aborted. */
export const execute: Execute<typeof manifest> = async ({ duration_ms }, { signal }) => {
  const started = performance.now()
  await new Promise<void>((awake, abort) => {
    const stop = () => {
      clearTimeout(timer)
      abort(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      awake()
    }, duration_ms)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
  return { slept_ms: Math.round(performance.now() - started) }
}
