import type { Store } from "@haft/store"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { openHaft } from "../open-haft.js"
import type { Setup } from "../setup.js"

/** Opens the journal for one piece of work and closes it again. */
export async function withStore<Result>(
  invocation: Invocation,
  io: Io,
  work: (store: Store, setup: Setup) => Promise<Result>,
): Promise<Result> {
  const { haft, setup } = await openHaft(invocation, io, { touchesFiles: false })
  try {
    return await work(await haft.store(), setup)
  } finally {
    await haft.close()
  }
}
