import { endsWithin } from "./ends-within.js"
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
  /** Begins with nothing found; each run has its own. */
  begin(): Kept
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
 * First a sorted run: with many hits it reaches the limit at once and can stop there. When it gives nothing at first, a
 * parallel run over everything joins it; that one finds in any order, and what it finds is put in order by whoever takes it.
 * The first to have everything wins, and each of them would give the same.
 */
export async function findInOrder<Kept extends Finding>(search: OrderedSearch<Kept>): Promise<OrderedEnd<Kept>> {
  const sorted = start(search, { isSorted: true })
  const runs = [sorted]
  try {
    if (search.isSingleFile) return await sorted.end
    const early = endUnlessSlow(sorted)
    const isGiving = (await endsWithin(early, headStartMs)) || sorted.found.progress() > 0
    const end = isGiving ? await early : undefined
    if (end !== undefined) return end
    const parallel = start(search, { isSorted: false })
    runs.push(parallel)
    // When the time is up for both, the parallel run has seen more.
    const winner = early.then((end) => (end === undefined || end.timedOut ? parallel.end : end))
    return await Promise.race([parallel.end, winner])
  } finally {
    for (const run of runs) run.process.stop()
    await Promise.allSettled(runs.map((run) => run.end))
  }
}

/** The end of a sorted run; undefined when it was stopped, because it was not likely to reach the limit soon. */
async function endUnlessSlow<Kept extends Finding>(run: Run<Kept>): Promise<OrderedEnd<Kept> | undefined> {
  const startMs = Date.now()
  while (!(await endsWithin(run.process.ended, probeMs))) {
    const wallMs = Date.now() - startMs
    // On a busy machine the clock runs on while ripgrep waits for its turn.
    const usedMs = run.process.cpuMs() ?? wallMs
    const isOnTrack = usedMs / run.found.progress() <= maxProbeMs
    const isBarelyBegun = usedMs < probeMs / 2 && wallMs < maxProbeMs
    if (!isOnTrack && !isBarelyBegun) run.process.stop()
  }
  const isStopped = (await run.process.ended).reason === "stopped"
  return isStopped ? undefined : run.end
}

// By then a search with many hits has given the first of them; one without has only one processor at work.
const headStartMs = 12
// Long enough for ripgrep to start and to give some thousand hits, short against any search that needs the parallel run.
const probeMs = 35
// A sorted run that keeps its pace and ends within this time is left alone.
const maxProbeMs = 300

interface Run<Kept extends Finding> {
  readonly found: Kept
  readonly process: RunningRipgrep
  readonly end: Promise<OrderedEnd<Kept>>
}

function start<Kept extends Finding>(search: OrderedSearch<Kept>, { isSorted }: { isSorted: boolean }): Run<Kept> {
  const found = search.begin()
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
  end.catch(() => undefined)
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
