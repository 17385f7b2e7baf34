/** Watches how long the event loop stands still. */
export interface LoopProbe {
  /** Ends the watch and returns the longest stand-still in milliseconds. */
  stop(): number
}

/** Starts a timer that is due every millisecond; the longest lateness is the longest time that the loop was blocked. */
export function startLoopProbe(): LoopProbe {
  let last = performance.now()
  let longest = 0
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 1)
    last = now
  }
  const timer = setInterval(look, 1)
  return {
    stop() {
      look()
      clearInterval(timer)
      return longest
    },
  }
}
