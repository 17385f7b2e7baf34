import { type Execute, type FileReader, ToolError } from "@haft/contract"
import { searchTimeoutMs, skippedField } from "../shared.js"
import type { manifest } from "./index.js"

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

/** The times between which a file must have changed; undefined for no filter. */
interface DateFilter {
  readonly isSet: boolean
  matches(mtimeMs: number): boolean
}

/** Reads the two ends; the first is included, the last is not. A date without a time is its midnight, UTC. */
function dateFilter(input: { modified_after?: string | undefined; modified_before?: string | undefined }): DateFilter {
  const after = momentOf(input.modified_after) ?? Number.NEGATIVE_INFINITY
  const before = momentOf(input.modified_before) ?? Number.POSITIVE_INFINITY
  return {
    isSet: input.modified_after !== undefined || input.modified_before !== undefined,
    matches: (mtimeMs) => mtimeMs >= after && mtimeMs < before,
  }
}

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

function momentOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, year, month, day, time = "00:00", zone = "Z"] = isoPattern.exec(value.trim()) ?? []
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const moment = Number(day) > daysInMonth ? Number.NaN : Date.parse(`${year}-${month}-${day}T${time}${zone}`)
  if (!Number.isNaN(moment)) return moment
  throw new ToolError(
    "invalid_args",
    `Cannot use the date "${value.slice(0, 100)}": it is no ISO 8601 date; write for instance 2024-05-31 or 2024-05-31T12:00:00Z`,
  )
}

/** Which names are wanted, and a glob that lets all of them pass when letters may be of either case. */
interface NameFilter {
  readonly glob: string
  /** True when the glob says it all, so that a search may stop as soon as it has enough. */
  readonly isExact: boolean
  matches(path: string): boolean
}

/** Compiles what a caller wants of a name: plain text and endings, compared without regard to case. */
export function nameFilter({ query = "", types = [] }: { query?: string; types?: readonly string[] }): NameFilter {
  const wanted = query.toLowerCase()
  const endings = types.map(endingOf)
  const matches = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
    const isNamed = wanted.includes("/") ? path.toLowerCase().includes(wanted) : name.includes(wanted)
    return isNamed && (endings.length === 0 || endings.some((ending) => name.endsWith(ending)))
  }
  // The glob also decides which denied files are counted: those that the caller would have seen.
  if (wanted !== "" && isPlain(wanted)) return { glob: `*${literal(wanted)}*`, isExact: endings.length === 0, matches }
  if (endings.length === 1 && isPlain(endings[0]!))
    return { glob: `*${literal(endings[0]!)}`, isExact: wanted === "", matches }
  return { glob: "**", isExact: wanted === "" && endings.length === 0, matches }
}

function endingOf(type: string): string {
  const bare = type.toLowerCase().replace(/^\*?\.+/, "")
  if (bare !== "" && !/[/\0*?]/.test(bare)) return `.${bare}`
  throw new ToolError("invalid_args", `Cannot look for the type "${type}": name an extension such as "ts"`)
}

/** Other characters have more forms than two, and a slash is no part of a name. */
function isPlain(text: string): boolean {
  return text.length <= 200 && /^[\x20-\x7e]+$/.test(text) && !text.includes("/")
}

/** The text as a glob that takes it as it is. */
function literal(text: string): string {
  return text.replace(/[\\*?[\]{}!,|]/g, "\\$&")
}
