import { percentile } from "./measure.js"

/** Watches how long the event loop is blocked. */
export interface LoopProbe {
  /** Ends the watch and returns the longest stand-still in milliseconds. */
  stop(): number
  /** The lateness that 99 of 100 looks at the clock did not exceed. */
  p99(): number
}

/** Starts a timer that is due every millisecond; the longest lateness is the longest time that the loop was blocked. */
export function startLoopProbe(): LoopProbe {
  const lateness: number[] = []
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    lateness.push(Math.max(0, now - last - 1))
    last = now
  }
  const timer = setInterval(look, 1)
  return {
    stop() {
      look()
      clearInterval(timer)
      return percentile(lateness, 1)
    },
    p99: () => percentile(lateness, 0.99),
  }
}
