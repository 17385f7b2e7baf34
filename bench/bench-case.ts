import type { World } from "./world.js"

/** What a measured value must not exceed, or must reach. */
export interface Limit {
  readonly atMost?: number
  readonly atLeast?: number
  /** "x" for a ratio to the raw limit of the same run, otherwise a unit. */
  readonly unit: "x" | "µs" | "ms" | "s" | "MB" | ""
  readonly what: string
}

/** One measured value, with the two times behind a ratio. */
export interface Reading {
  readonly value: number
  readonly oursMs?: number
  readonly rawMs?: number
}

/** One row of the speed table: its limits by name, and how each is measured. */
export interface BenchCase {
  readonly name: string
  readonly limits: Readonly<Record<string, Limit>>
  /** Why this machine cannot measure the case; undefined where it can. */
  skip?(): Promise<string | undefined>
  run(world: World): Promise<Readonly<Record<string, Reading>>>
}
