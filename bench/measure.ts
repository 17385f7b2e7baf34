import type { Reading } from "./bench-case.js"

/** Something whose time is taken; `prepare` is not. */
export interface Contender<Prepared = void> {
  prepare?(): Promise<Prepared>
  run(prepared: Prepared): Promise<unknown> | unknown
  dispose?(prepared: Prepared): Promise<unknown> | unknown
}

/**
 * Times two ways to do the same in turns, so that both meet the same disturbances, and compares their medians.
 * The first `warmUp` rounds do not count.
 */
export async function compare<A = void, B = void>(
  ours: Contender<A>,
  raw: Contender<B>,
  { rounds, warmUp = Math.min(3, Math.ceil(rounds / 4)) }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Reading> {
  const oursMs: number[] = []
  const rawMs: number[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    // Who goes first alternates too: the second finds warmer caches.
    const oursFirst = round % 2 === 0
    const first = oursFirst ? await timeOnce(ours) : await timeOnce(raw)
    const second = oursFirst ? await timeOnce(raw) : await timeOnce(ours)
    if (round < warmUp) continue
    oursMs.push(oursFirst ? first : second)
    rawMs.push(oursFirst ? second : first)
  }
  return { value: median(oursMs) / median(rawMs), oursMs: median(oursMs), rawMs: median(rawMs) }
}

/**
 * So many calls until the engine has compiled what a call runs through, for rows about a call of microseconds in a process
 * that stays: before that they would time the compiler.
 */
export const compiledAfter = 3000

/** Milliseconds that one run takes. */
export async function timeOnce<Prepared>(contender: Contender<Prepared>): Promise<number> {
  const prepared = (await contender.prepare?.()) as Prepared
  const started = performance.now()
  await contender.run(prepared)
  const elapsed = performance.now() - started
  await contender.dispose?.(prepared)
  return elapsed
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
