import { setImmediate as nextTurn } from "node:timers/promises"

/** Spreads synchronous work over turns of the event loop and watches how long it takes. */
export interface Turns {
  /** Whether the work has used up so much time. */
  isOver(limitMs: number): boolean
  /** To be awaited now and then; lets others run when this turn has taken long enough. */
  breathe(): Promise<void> | undefined
}

const turnMs = 4
// A machine that is busy with other things makes everything slower; only so much of that is put up with.
const patience = 4

/**
 * Work that begins now, with pauses of the caller's choice. Its own processor time counts, so that a busy machine does not
 * change what is found.
 */
export function createTurns(pause: () => Promise<void> = () => nextTurn()): Turns {
  const start = performance.now()
  let earlierMs = 0
  let turnStart = start
  let cpuStart = process.cpuUsage()
  return {
    isOver(limitMs) {
      const elapsedMs = performance.now() - start
      return elapsedMs > limitMs && (elapsedMs > limitMs * patience || earlierMs + cpuMs(cpuStart) > limitMs)
    },
    breathe() {
      if (performance.now() - turnStart < turnMs) return undefined
      earlierMs += cpuMs(cpuStart)
      return pause().then(() => {
        turnStart = performance.now()
        cpuStart = process.cpuUsage()
      })
    },
  }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
