import type { Execute, GrepFound, GrepMatch, InputOf, Search } from "@haft/contract"
import { refuseLineBreak, searchTimeoutMs, skippedField } from "@haft/tools/search/shared.js"
import { absolutePaths } from "../../absolute-paths.js"
import type { manifest } from "./index.js"

type Input = InputOf<typeof manifest>

/** Searches as far as the wanted page needs it, and returns that page. */
export const execute: Execute<typeof manifest> = async (input, { search, files }) => {
  if (!input.multiline) refuseLineBreak(input.pattern, () => "Send it again with multiline true")
  const found = await find(input, search)
  const matches = found.matches.filter(({ path }) => hasExtension(path, input.type))
  const absolute = await absolutePaths(files)
  const names = [...new Set(matches.map(({ path }) => absolute(path)))]
  const facts = {
    mode: input.output_mode,
    ...skippedField(found.skipped),
    ...(found.timedOut && { timed_out: true as const }),
  }
  // A search that stopped because the page is full is as good as complete: the limit says that there is more.
  const isComplete = ({ applied }: Page<unknown>) =>
    found.complete || (applied.applied_limit !== undefined && !found.timedOut)
  if (input.output_mode === "content") {
    const page = pageOf(contentLines(matches, { ...around(input), numbers: input["-n"], absolute }), input)
    const content = page.items.map(({ text }) => text).join("\n")
    const filenames = [...new Set(page.items.map(({ file }) => file))]
    const counts = { num_lines: page.items.length, matching_lines: page.items.filter((line) => line.matches).length }
    return { ...facts, complete: isComplete(page), filenames, content, ...counts, ...page.applied }
  }
  const page = pageOf(names, input)
  const counted = input.output_mode === "count" ? { num_matches: matches.length } : {}
  return { ...facts, complete: isComplete(page), filenames: page.items, ...counted, ...page.applied }
}

// Enough for any reader; a search that finds more says that it is not complete.
const mostMatches = 20_000
const mostContextLines = 1_000

function find(input: Input, search: Search): Promise<GrepFound> {
  const { before, after } = around(input)
  // A page of files needs one match of each; a count needs all of them. With both filters, what the second one
  // leaves is not known beforehand.
  const isFiltered = input.type !== undefined && input.glob !== undefined
  const wanted = input.head_limit === 0 || isFiltered ? mostMatches : input.offset + input.head_limit + 1
  const glob = input.glob ?? (input.type === undefined ? undefined : extensionGlob(input.type))
  return search.grep({
    pattern: input.pattern,
    ...(input.path !== undefined && { path: input.path }),
    ...(glob !== undefined && { glob }),
    contextLines: input.output_mode === "content" ? Math.min(Math.max(before, after), mostContextLines) : 0,
    ignoreCase: input["-i"],
    maxMatches: input.output_mode === "count" ? mostMatches : Math.min(wanted, mostMatches),
    ...(input.output_mode === "files_with_matches" && { maxMatchesPerFile: 1 }),
    ...(input.multiline && { multiline: true }),
    timeoutMs: searchTimeoutMs,
  })
}

function around(input: Input): { readonly before: number; readonly after: number } {
  const both = input.context ?? input["-C"] ?? 0
  return { before: input["-B"] ?? both, after: input["-A"] ?? both }
}

function hasExtension(path: string, type: string | undefined): boolean {
  return type === undefined || path.endsWith(`.${type}`)
}

/** The extension as a glob; what would mean something in a glob is taken as it is. */
function extensionGlob(type: string): string {
  return `*.${type.replace(/[\\*?[\]{}!]/g, "\\$&")}`
}

/** A page of a list, with the numbers that made it one. */
interface Page<Item> {
  readonly items: Item[]
  readonly applied: { readonly applied_limit?: number; readonly applied_offset?: number }
}

/** The items after the offset up to the limit; 0 is no limit. The limit counts as applied only when it left something out. */
function pageOf<Item>(
  list: readonly Item[],
  { head_limit, offset }: { readonly head_limit: number; readonly offset: number },
): Page<Item> {
  const rest = list.slice(offset)
  const isCut = head_limit > 0 && rest.length > head_limit
  return {
    items: isCut ? rest.slice(0, head_limit) : rest,
    applied: { ...(isCut && { applied_limit: head_limit }), ...(offset > 0 && { applied_offset: offset }) },
  }
}

/** How lines are shown. */
interface ContentLineOptions {
  readonly before: number
  readonly after: number
  /** Whether each line begins with its number, after its file. */
  readonly numbers: boolean
  readonly absolute: (path: string) => string
}

/** A line as it is shown, with the file that it is from. */
interface ContentLine {
  readonly file: string
  readonly text: string
  /** False for a line that is only context of a match. */
  readonly matches: boolean
}

/** Each match with the lines around it, in order; a line that is around two matches is there once. */
function contentLines(matches: readonly GrepMatch[], options: ContentLineOptions): readonly ContentLine[] {
  const lines: ContentLine[] = []
  let file = ""
  let path: string | undefined
  let last = 0
  let matched = new Set<number>()
  const show = (line: number, text: string, matches = false) => {
    if (line <= last) return
    lines.push({ file, text: `${file}:${options.numbers ? `${line}:` : ""}${text}`, matches })
    last = line
  }
  for (const [index, match] of matches.entries()) {
    if (match.path !== path) {
      path = match.path
      file = options.absolute(path)
      last = 0
      matched = linesOfFile(matches, index)
    }
    const before = (match.before ?? []).slice(Math.max(0, (match.before ?? []).length - options.before))
    for (const [at, text] of before.entries()) {
      const line = match.line - before.length + at
      if (!matched.has(line)) show(line, text)
    }
    show(match.line, match.text, true)
    for (const [at, text] of (match.after ?? []).slice(0, options.after).entries()) {
      const line = match.line + 1 + at
      // A match that follows shows itself, so that its own text is never taken from a neighbour.
      if (matched.has(line)) break
      show(line, text)
    }
  }
  return lines
}

function linesOfFile(matches: readonly GrepMatch[], from: number): Set<number> {
  const lines = new Set<number>()
  for (let index = from; matches[index]?.path === matches[from]!.path; index += 1) lines.add(matches[index]!.line)
  return lines
}
