/**
 * In which order two streams were read: how many characters of stdout came before the first of stderr, then how many of
 * stderr, then of stdout, and so on. Numbers at even places add up to stdout, the others to stderr.
 */
export type StreamOrder = readonly number[]

/** A piece of one stream that was read without anything of the other in between. */
export interface StreamRun {
  readonly stream: "stdout" | "stderr"
  readonly length: number
}

/** The order of these runs; undefined when all of stdout came before stderr. */
export function streamOrder(runs: readonly StreamRun[]): StreamOrder | undefined {
  const order: number[] = []
  for (const { stream, length } of runs) {
    if (length === 0) continue
    const isOdd = stream === "stderr"
    const isNext = (order.length % 2 === 1) === isOdd
    if (isNext) order.push(length)
    else if (order.length === 0) order.push(0, length)
    else order[order.length - 1]! += length
  }
  return order.length > 2 ? order : undefined
}

/** The runs of an order. */
export function streamRuns(order: StreamOrder): readonly StreamRun[] {
  return order.map((length, index) => ({ stream: index % 2 === 0 ? "stdout" : "stderr", length }))
}
