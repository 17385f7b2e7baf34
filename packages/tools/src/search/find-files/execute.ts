import type { Execute, FileReader } from "@haft/contract"
import { searchTimeoutMs } from "../shared/search-timeout-ms.js"
import { skippedField } from "../shared/skipped.js"
import { dateFilter } from "./date-filter.js"
import type { manifest } from "./index.js"
import { nameFilter } from "./name-filter.js"

/** Lists files by name, looks at each where dates or sizes count, and returns the first in the wanted order. */
export const execute: Execute<typeof manifest> = async (input, { search, files }) => {
  const names = nameFilter({ ...(input.query !== undefined && { query: input.query }), types: input.types ?? [] })
  const dates = dateFilter(input)
  const needsFacts = dates.isSet || input.sort !== "name"
  const found = await search.glob({
    pattern: names.glob,
    ignoreCase: true,
    ...(input.path !== undefined && { path: input.path }),
    maxPaths: names.isExact && !needsFacts ? input.limit : maxListed,
    timeoutMs: searchTimeoutMs,
  })
  const named = names.isExact ? found.paths : found.paths.filter((path) => names.matches(path))
  const isLookedAtWhole = !needsFacts || named.length <= maxLookedAt
  const wanted = needsFacts ? await inOrder(named.slice(0, maxLookedAt), { files, dates, sort: input.sort }) : named
  const isWhole = found.complete && isLookedAtWhole
  return {
    paths: wanted.slice(0, input.limit),
    complete: isWhole && wanted.length <= input.limit,
    ...(isWhole && { total: wanted.length }),
    ...skippedField(found.skipped),
    ...(found.timedOut && { timed_out: true as const }),
  }
}

/** Paths that are listed at most before they are filtered. */
const maxListed = 100_000
/** Files that are looked at one by one; that takes a second or two. */
const maxLookedAt = 20_000
/** Files that are looked at together. */
const batchSize = 64

interface Order {
  readonly files: Pick<FileReader, "stat">
  readonly dates: ReturnType<typeof dateFilter>
  readonly sort: "name" | "date" | "size"
}

/** The files that fit the dates; of equal ones the order of their paths decides, so that it is always the same. */
async function inOrder(paths: readonly string[], { files, dates, sort }: Order): Promise<string[]> {
  const seen: { readonly path: string; readonly mtimeMs: number; readonly size: number }[] = []
  for (let from = 0; from < paths.length; from += batchSize) {
    const batch = paths.slice(from, from + batchSize)
    const facts = await Promise.all(batch.map((path) => files.stat(path)))
    for (const [index, each] of facts.entries()) {
      // A file that is gone by now is not there.
      if (each?.kind === "file" && dates.matches(each.mtimeMs)) seen.push({ ...each, path: batch[index]! })
    }
  }
  if (sort === "date") seen.sort((one, other) => other.mtimeMs - one.mtimeMs)
  if (sort === "size") seen.sort((one, other) => other.size - one.size)
  return seen.map(({ path }) => path)
}
