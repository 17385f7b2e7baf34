import { ToolError } from "@haft/contract"
import type { Store } from "@haft/store"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { openHaft } from "../open-haft.js"
import type { Setup } from "../setup.js"

/** A command about one session cannot do without it: where another process has it, only the end of that one helps. */
export async function unlessInUse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!ToolError.is(error)) throw error
    const { code, message, details } = error
    if ((details as { readonly owner?: unknown } | undefined)?.owner === undefined) throw error
    throw new ToolError(code, message, { hint: "Wait until that process is done, or end it", details })
  }
}

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
