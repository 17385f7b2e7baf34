import { setImmediate } from "node:timers/promises"
import { bestEffort } from "@haft/contract"
import { type RipgrepEnd, type RunningRipgrep, startRipgrep } from "./start-ripgrep.js"

/** A search whose result is the beginning of a sorted whole. */
export interface OrderedSearch<Kept extends Finding> {
  readonly program: string
  readonly arguments: readonly string[]
  /** What to search: "./" or one file. */
  readonly target: string
  readonly isSingleFile: boolean
  readonly cwd: string
  readonly signal: AbortSignal
  readonly stopAtMs: number
  /** Begins with nothing found; each run has its own. A sorted one finds in the order of the paths. */
  begin(isSorted: boolean): Kept
}

/** What one run has found so far. */
export interface Finding {
  /** How much of what may be kept is found: 1 and more when everything that may still come in order is past the limit. */
  progress(): number
  /** Takes a piece of the output. */
  push(chunk: Buffer): void
  /** Called when nothing more comes, so that the last part may count. */
  end(): void
  /** Takes a path that could not be read. */
  unreadable(path: string): void
  /** Takes a path whose search PCRE2 gave up, with the reason. */
  givenUp(path: string, reason: string): void
}

/** How the search ended and what it found. */
export interface OrderedEnd<Kept extends Finding> {
  readonly found: Kept
  readonly timedOut: boolean
  readonly exitCode: number
  /** Complaints of ripgrep that concern no single path. */
  readonly complaints: readonly string[]
}

/**
 * Searches so that the same call gives the same beginning, in little more time than an unsorted search.
 * First a sorted run: with many hits it reaches the limit at once and can stop there. When it is not likely to reach it soon,
 * a parallel run over everything takes its place; that one finds in any order, and the finding puts it in order.
 * Each of them gives the same. A parallel run alone would search everything also where the first files have enough hits, which
 * takes fifty times as long (row "grep over its cap, dense").
 */
export async function findInOrder<Kept extends Finding>(search: OrderedSearch<Kept>): Promise<OrderedEnd<Kept>> {
  const sorted = start(search, { isSorted: true })
  const end = search.isSingleFile ? await sorted.end : await endUnlessSlow(sorted)
  return end ?? start(search, { isSorted: false }).end
}

/** The end of a sorted run; undefined when it was stopped, because it was not likely to reach the limit soon. */
async function endUnlessSlow<Kept extends Finding>(run: Run<Kept>): Promise<OrderedEnd<Kept> | undefined> {
  const startMs = Date.now()
  let waitMs = firstLooksMs
  while (!(await endsWithin(run.process.ended, waitMs))) {
    // On a busy machine this thread is late too: first it takes what the pipe holds already.
    await setImmediate()
    const elapsedMs = Date.now() - startMs
    // On a busy machine the clock runs on while ripgrep waits for its turn.
    const usedMs = run.process.cpuMs() ?? elapsedMs
    const isOnTrack = usedMs / run.found.progress() <= maxSortedMs
    const isBarelyBegun = usedMs < headStartMs && elapsedMs < maxSortedMs
    if (!isOnTrack && !isBarelyBegun) run.process.stop()
    if (!isBarelyBegun) waitMs = laterLooksMs
  }
  const isStopped = (await run.process.ended).reason === "stopped"
  return isStopped ? undefined : run.end
}

/** Whether a promise settles, either way, within a time. */
async function endsWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const settled = promise.then(
    () => true,
    () => true,
  )
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeMs, false)
  })
  try {
    return await Promise.race([settled, passed])
  } finally {
    clearTimeout(timer)
  }
}

const firstLooksMs = 4
const laterLooksMs = 25
// A search with many hits gives the first hundred of them after five to seven milliseconds of processor time.
const headStartMs = 10
// A sorted run that keeps its pace and ends within this time is left alone.
const maxSortedMs = 300

interface Run<Kept extends Finding> {
  readonly found: Kept
  readonly process: RunningRipgrep
  readonly end: Promise<OrderedEnd<Kept>>
}

function start<Kept extends Finding>(search: OrderedSearch<Kept>, { isSorted }: { isSorted: boolean }): Run<Kept> {
  const found = search.begin(isSorted)
  const complaints: string[] = []
  const process = startRipgrep({
    program: search.program,
    arguments: [...search.arguments, ...(isSorted ? ["--sort=path"] : []), "--", search.target],
    cwd: search.cwd,
    signal: search.signal,
    stopAtMs: search.stopAtMs,
    take: (chunk) => {
      found.push(chunk)
      return isSorted && found.progress() >= 1
    },
    complain: (line) => {
      const problem = pathProblem.exec(line)
      const [, path, reason] = givenUp.exec(line) ?? []
      if (reason !== undefined) found.givenUp(path!, reason)
      else if (problem === null) complaints.push(line)
      else if (problem[2] !== vanished) found.unreadable(problem[1]!)
    },
  })
  const end = process.ended.then((reason) => endOf(found, reason, complaints))
  void bestEffort("the caller awaits it and hears of a failure", end)
  return { found, process, end }
}

const pathProblem = /^rg: \.\/(.*?): .*\(os error (\d+)\)$/
const givenUp = /^rg: \.\/(.*): PCRE2: error matching: (.*)$/
// A file that went away during the search is not there; nobody misses it.
const vanished = "2"

function endOf<Kept extends Finding>(found: Kept, end: RipgrepEnd, complaints: readonly string[]): OrderedEnd<Kept> {
  // The file in which enough was found is cut off in the middle; whatever comes after the limit does not count.
  if (end.reason !== "enough") found.end()
  return {
    found,
    timedOut: end.reason === "late",
    exitCode: end.reason === "finished" ? end.exitCode : 0,
    complaints,
  }
}
