import type { BenchCase, Limit, Reading } from "./bench-case.js"

/** One measured value with the limit it is held against. */
export interface Row {
  readonly case: string
  readonly measure: string
  readonly what: string
  readonly value: number
  readonly unit: Limit["unit"]
  readonly limit: string
  readonly oursMs?: number
  readonly rawMs?: number
  readonly passed: boolean
}

/** The rows of one case. */
export function rowsOf(benchCase: BenchCase, readings: Readonly<Record<string, Reading>>): readonly Row[] {
  return Object.entries(benchCase.limits).map(([measure, limit]) => {
    const reading = readings[measure]
    if (!reading) throw new Error(`the case "${benchCase.name}" did not measure "${measure}"`)
    const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY, unit, what } = limit
    return {
      case: benchCase.name,
      measure,
      what,
      unit,
      ...reading,
      limit: limit.atMost === undefined ? `>= ${limit.atLeast}` : `<= ${limit.atMost}`,
      passed: reading.value <= atMost && reading.value >= atLeast,
    }
  })
}

/** The rows of a case that could not be measured: all of them fail, and the reason is printed. */
export function unmeasured(benchCase: BenchCase, error: Error): readonly Row[] {
  console.log(`FAIL  ${benchCase.name} could not be measured: ${error.message}`)
  const nothing = Object.keys(benchCase.limits).map((measure) => [measure, { value: Number.NaN }])
  return rowsOf(benchCase, Object.fromEntries(nothing))
}

/** One row as a line of the table. */
export function formatRow(row: Row): string {
  const times =
    row.oursMs === undefined || row.rawMs === undefined
      ? ""
      : `${milliseconds(row.oursMs)} against ${milliseconds(row.rawMs)}`
  return [
    row.passed ? "ok  " : "FAIL",
    `${number(row.value)} ${row.unit}`.padStart(10),
    `${row.limit} ${row.unit}`.padEnd(12),
    row.what.padEnd(62),
    times,
  ].join("  ")
}

function milliseconds(value: number): string {
  return value < 1 ? `${number(value * 1000)} µs` : `${number(value)} ms`
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
