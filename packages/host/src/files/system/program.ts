import { type Stats, statfsSync } from "node:fs"
import { bestEffort, TurnEnd } from "@haft/contract"

/** One system call that can be made at once or on the thread pool. */
export interface FileCall {
  readonly now: () => unknown
  readonly later: () => Promise<unknown>
  /** True when the call moves so many bytes that it would hold up the event loop. */
  readonly heavy: boolean
}

/** Steps that yield system calls, so that one text serves both quick local and slow remote file systems. */
export type Program<Result> = Generator<FileCall, Result, unknown>

/** Content up to this size is moved by synchronous calls: a trip to the thread pool would cost more than the work. */
export const smallBytes = 256 * 1024

/**
 * Runs a program. Light calls run at once; the first heavy call, or any call on a remote file system, turns the
 * rest into a promise. The part that runs at once is never interleaved with other work.
 */
export function drive<Result>(program: Program<Result>, remote: boolean): Result | Promise<Result> {
  let step = program.next()
  while (!step.done) {
    if (remote || step.value.heavy) return driveLater(program, step.value, remote)
    step = advance(program, step.value)
  }
  return step.value
}

async function driveLater<Result>(program: Program<Result>, first: FileCall, remote: boolean): Promise<Result> {
  let call: FileCall = first
  for (;;) {
    let step: IteratorResult<FileCall, Result>
    if (remote || call.heavy) {
      let value: unknown
      let failure: { readonly error: unknown } | undefined
      try {
        value = await call.later()
      } catch (error) {
        failure = { error }
      }
      step = failure ? program.throw(failure.error) : program.next(value)
    } else step = advance(program, call)
    if (step.done) return step.value
    call = step.value
  }
}

function advance<Result>(program: Program<Result>, call: FileCall): IteratorResult<FileCall, Result> {
  let value: unknown
  try {
    value = call.now()
  } catch (error) {
    return program.throw(error)
  }
  return program.next(value)
}

/** `bestEffort` of the contract for a program: undefined when it fails, for the reason that is named. */
export function* attempt<Result>(_reason: string, program: Program<Result>): Program<Result | undefined> {
  try {
    return yield* program
  } catch {
    return undefined
  }
}

/** How long synchronous file work may hold up one turn of the event loop. */
const budgetMs = 4

interface Waiting {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

// State of the event loop rather than of a session: all sessions of a process share one loop.
const waiting: Waiting[] = []
let spentMs = 0
const turnEnd = new TurnEnd(endTurn)

/**
 * Runs synchronous work at once while this turn of the event loop has time left, otherwise in a later turn, in order.
 * So thousands of small reads neither pay for the thread pool nor starve timers and sockets.
 */
export function withinTurnBudget<Result>(work: () => Result | Promise<Result>): Result | Promise<Result> {
  if (waiting.length === 0 && spentMs < budgetMs) return atOnce(work)
  turnEnd.schedule()
  return new Promise<Result>((resolve, reject) => {
    waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
  })
}

/** Runs synchronous work in this turn, whatever its budget, and counts the time: for what would cost more in a later turn. */
export function atOnce<Result>(work: () => Result): Result {
  const start = performance.now()
  try {
    return work()
  } finally {
    spentMs += performance.now() - start
    turnEnd.schedule()
  }
}

function endTurn(): void {
  spentMs = 0
  let done = 0
  while (done < waiting.length && spentMs < budgetMs) {
    const { work, resolve, reject } = waiting[done++]!
    try {
      resolve(atOnce(work))
    } catch (error) {
      reject(error)
    }
  }
  waiting.splice(0, done)
  if (waiting.length > 0) turnEnd.schedule()
}

// Magic numbers of Linux file systems whose calls may take as long as a network does (statfs(2), linux/magic.h).
const remoteTypes = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, also virtiofs
  0x01021997, // 9P
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x73757245, // Coda
  0x47504653, // GPFS
])

const remoteDevices = new Map<number, boolean>()

/** Whether the file system of a path may be slow; learnt once a device. */
export function isRemote(path: string, facts: Pick<Stats, "dev">): boolean {
  const known = remoteDevices.get(facts.dev)
  if (known !== undefined) return known
  const remote = readType(path)
  remoteDevices.set(facts.dev, remote)
  return remote
}

function readType(path: string): boolean {
  if (process.platform !== "linux") return path.startsWith("\\\\")
  const facts = bestEffort("what cannot be asked counts as local", () => statfsSync(path))
  // A negative number comes from a signed 32-bit field on some platforms.
  return facts !== undefined && remoteTypes.has(Number(facts.type) >>> 0)
}

/** Makes a function to call between steps of long work: it lets other work of the thread run every few milliseconds. */
export function createYield(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxHoldMs) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now()
        resolve()
      })
    })
  }
}

// ripgrep wants the processors too, and may hold this thread up for longer than its own work does.
const maxHoldMs = 2
