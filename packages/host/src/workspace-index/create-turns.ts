import { setImmediate as nextTurn } from "node:timers/promises"

/** Spreads synchronous work over turns of the event loop and watches how long it takes. */
export interface Turns {
  /** Whether the work has used up so much time, with what another thread has spent on its part. */
  isOver(limitMs: number, elsewhereMs?: number): boolean
  /** To be awaited now and then; lets others run when this turn has taken long enough. */
  breathe(): Promise<void> | undefined
}

const turnMs = 4
// A machine that is busy with other things makes everything slower; only so much of that is put up with.
const patience = 4

/**
 * Work that begins now, with pauses of the caller's choice. Its own processor time counts, so that a busy machine does not
 * change what is found. To ask for that costs more than most work takes: before its first pause the clock counts instead.
 */
export function createTurns(pause: () => Promise<void> = () => nextTurn()): Turns {
  const start = performance.now()
  let earlierMs = 0
  let turnStart = start
  let cpuStart: NodeJS.CpuUsage | undefined
  const turnUsedMs = () => (cpuStart ? cpuMs(cpuStart) : performance.now() - turnStart)
  return {
    isOver(limitMs, elsewhereMs = 0) {
      const elapsedMs = performance.now() - start + elsewhereMs
      // The processor time of this process is that of all its threads.
      return elapsedMs > limitMs && (elapsedMs > limitMs * patience || earlierMs + turnUsedMs() > limitMs)
    },
    breathe() {
      if (performance.now() - turnStart < turnMs) return undefined
      earlierMs += turnUsedMs()
      return pause().then(() => {
        turnStart = performance.now()
        cpuStart = process.cpuUsage()
      })
    },
  }
}

/** Tells from now on whether so much processor time was used; only so much of a busy machine's slowness is put up with. */
export function startCpuClock(): Pick<Turns, "isOver"> {
  const [start, cpuStart] = [performance.now(), process.cpuUsage()]
  return {
    isOver(limitMs) {
      const elapsedMs = performance.now() - start
      return elapsedMs > limitMs && (elapsedMs > limitMs * patience || cpuMs(cpuStart) > limitMs)
    },
  }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
