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
