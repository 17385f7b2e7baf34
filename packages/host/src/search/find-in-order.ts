import { runRipgrep, type RipgrepEnd } from "./run-ripgrep.js"

/** A search whose result is the beginning of a sorted whole. */
export interface OrderedSearch {
  readonly program: string
  readonly arguments: readonly string[]
  /** What to search: "./" or one file. */
  readonly target: string
  readonly isSingleFile: boolean
  readonly cwd: string
  readonly signal: AbortSignal
  readonly stopAtMs: number
  /** Begins a run: what is handed out so far stays, whatever was read in part is forgotten. */
  begin(): OutputReader
  /** How much of what may be kept is found: 1 and more when everything that may still come in order is past the limit. */
  progress(): number
  /** Takes a path that could not be read. */
  unreadable(path: string): void
}

/** Reads the output of one run. */
export interface OutputReader {
  push(chunk: Buffer): void
  /** Called when nothing more comes, so that the last part may count. */
  end(): void
}

/** How the search ended. */
export interface OrderedEnd {
  readonly timedOut: boolean
  readonly exitCode: number
  /** Complaints of ripgrep that concern no single path. */
  readonly complaints: readonly string[]
}

/**
 * Searches so that the same call gives the same beginning, in little more time than an unsorted search.
 * First a short sorted run: with many hits it reaches the limit at once and can stop there. If it does not, a parallel run
 * over everything follows; it finds in any order, and what it finds is put in order by whoever takes it.
 */
export async function findInOrder(search: OrderedSearch): Promise<OrderedEnd> {
  const complaints: string[] = []
  const probe = await runOnce(search, { ...probeTimes(search), flags: ["--sort=path"], complaints })
  if (probe.reason !== "late" || search.isSingleFile || Date.now() >= search.stopAtMs) return endOf(probe, complaints)
  return endOf(await runOnce(search, { stopAtMs: search.stopAtMs, flags: [], complaints }), complaints)
}

/** The probe goes on only while it is likely to reach the limit soon. */
function probeTimes(search: OrderedSearch): Pick<OneRun, "stopAtMs" | "prolong"> {
  if (search.isSingleFile) return { stopAtMs: search.stopAtMs }
  const startMs = Date.now()
  const next = () => Math.min(search.stopAtMs, Date.now() + probeMs)
  return {
    stopAtMs: next(),
    prolong: (cpuMs) => {
      const wallMs = Date.now() - startMs
      // On a busy machine the clock runs on while ripgrep waits for its turn.
      const usedMs = cpuMs ?? wallMs
      const isOnTrack = usedMs / search.progress() <= maxProbeMs
      const isBarelyBegun = usedMs < probeMs / 2 && wallMs < maxProbeMs
      return (isOnTrack || isBarelyBegun) && Date.now() < search.stopAtMs ? next() : undefined
    },
  }
}

// Long enough for ripgrep to start and to give some thousand hits, short against any search that needs the parallel run.
const probeMs = 35
// A sorted run that keeps its pace and ends within this time beats starting again.
const maxProbeMs = 300

interface OneRun {
  readonly flags: readonly string[]
  readonly stopAtMs: number
  readonly complaints: string[]
  prolong?(cpuMs: number | undefined): number | undefined
}

async function runOnce(search: OrderedSearch, run: OneRun): Promise<RipgrepEnd> {
  const reader = search.begin()
  const isSorted = run.flags.length > 0
  const end = await runRipgrep({
    program: search.program,
    arguments: [...search.arguments, ...run.flags, "--", search.target],
    cwd: search.cwd,
    signal: search.signal,
    stopAtMs: run.stopAtMs,
    ...(run.prolong === undefined ? {} : { prolong: run.prolong }),
    take: (chunk) => {
      reader.push(chunk)
      return isSorted && search.progress() >= 1
    },
    complain: (line) => {
      const problem = pathProblem.exec(line)
      if (problem === null) run.complaints.push(line)
      else if (problem[2] !== vanished) search.unreadable(problem[1]!)
    },
  })
  // A file that was read in part counts only when nothing comes after: a second run reads it again, as a whole.
  if (end.reason === "finished" || (end.reason === "late" && Date.now() >= search.stopAtMs)) reader.end()
  return end
}

const pathProblem = /^rg: \.\/(.*?): .*\(os error (\d+)\)$/
// A file that went away during the search is not there; nobody misses it.
const vanished = "2"

function endOf(end: RipgrepEnd, complaints: readonly string[]): OrderedEnd {
  return {
    timedOut: end.reason === "late",
    exitCode: end.reason === "finished" ? end.exitCode : 0,
    complaints,
  }
}
