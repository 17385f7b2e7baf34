// One queue for the process, not for a session: two sessions that write one file must not meet half-way.
const tails = new Map<string, Promise<unknown>>()

/** Runs pieces of work on one path one after the other, in the order in which they came. */
export async function oneAtATime<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = tails.get(path)
  const result = before ? before.then(work, work) : work()
  tails.set(path, result)
  try {
    return await result
  } finally {
    if (tails.get(path) === result) tails.delete(path)
  }
}
