import { isInside, type OutputOf, ToolError, type ToolResult } from "@haft/contract"
import type { manifest as findManifest } from "@haft/tools/search/find-files/index.js"
import type { manifest as globManifest } from "@haft/tools/search/glob/index.js"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import type { manifest as grepManifest } from "../shared/tools/grep-search/index.js"
import { lobeRow } from "./lobe-row.js"
import { localSystem } from "./local-file-rows.js"

const count = z.int().min(0).optional()
const flag = z.boolean().optional()

/** Searches in files. */
export const grepContentRow = lobeRow(localSystem, {
  api: "grepContent",
  titles: { en: "Search content", "zh-CN": "搜索内容" },
  tool: "grep_search",
  description:
    "Search for content within files using regex patterns. Supports various output modes and filtering options.",
  input: z.strictObject({
    pattern: z.string().min(1).describe("The regular expression pattern to search for"),
    path: z.string().min(1).optional().describe("File or directory to search in"),
    glob: z.string().min(1).optional().describe('Glob pattern to filter files (e.g. "*.js")'),
    type: z.string().min(1).optional().describe('File type to search (e.g. "js", "py")'),
    output_mode: z.enum(["content", "files_with_matches", "count"]).optional(),
    "-A": count.describe("Lines to show after each match"),
    "-B": count.describe("Lines to show before each match"),
    "-C": count.describe("Lines to show before and after each match"),
    "-i": flag.describe("Case insensitive search"),
    "-n": flag.describe("Show line numbers"),
    head_limit: count.describe("Limit output to first N results"),
    multiline: flag.describe("Enable multiline mode where . matches newlines"),
  }),
  toArguments: given,
  content: withoutOffset,
  state: (result) => {
    const { mode, filenames, content = "", num_matches, matching_lines } = dataOf<OutputOf<typeof grepManifest>>(result)
    const matches = mode === "content" ? content.split("\n").filter((line) => line !== "") : filenames
    return { matches, totalMatches: num_matches ?? matching_lines ?? matches.length }
  },
})

/** A page has no second one here, only a larger first one. */
function withoutOffset(result: ToolResult): string {
  const said = textOf(result)
  const at = said.lastIndexOf("; go on with offset")
  if (at < 0) return said
  return `${said.slice(0, at)}; raise head_limit for more${said.slice(at + "; go on with offset".length)}`
}

/** Finds files by a pattern on their paths. */
export const globLocalFilesRow = lobeRow(localSystem, {
  api: "globLocalFiles",
  titles: { en: "Find files by pattern", "zh-CN": "按模式查找文件" },
  tool: "glob",
  description: 'Find files matching glob patterns. Supports standard glob syntax like "**/*.js" or "src/**/*.ts".',
  input: z.strictObject({
    pattern: z.string().min(1).describe("The glob pattern to match files against"),
    path: z.string().min(1).optional().describe("The directory to search in"),
  }),
  toArguments: given,
  state: (result) => {
    const { paths, total = paths.length } = dataOf<OutputOf<typeof globManifest>>(result)
    return { files: paths, totalCount: total }
  },
})

/** As many as find_files gives. */
const mostFiles = 1000

const when = z.string().min(1).optional()

/** Finds files by name, kind and time. */
export const searchLocalFilesRow = lobeRow(localSystem, {
  api: "searchLocalFiles",
  titles: { en: "Search files", "zh-CN": "搜索文件" },
  tool: "find_files",
  description: "Search for files by keywords in their names, with optional filters.",
  input: z.strictObject({
    keywords: z.string().describe("The search keywords (can be a part of a name)"),
    contentContains: z.string().min(1).optional().describe("Not supported here: use grepContent"),
    createdAfter: when.describe("Not supported here: use modifiedAfter"),
    createdBefore: when.describe("Not supported here: use modifiedBefore"),
    modifiedAfter: when.describe("Files modified after this date (ISO 8601)"),
    modifiedBefore: when.describe("Files modified before this date (ISO 8601)"),
    directory: z.string().min(1).optional().describe("Limit the search to this directory"),
    exclude: z
      .array(z.string().min(1))
      .optional()
      .describe("File or directory paths to exclude, relative to the workspace"),
    fileTypes: z.array(z.string().min(1)).optional().describe('File types to include (e.g. "txt")'),
    limit: z.int().min(1).optional().describe("Limit the number of results returned"),
    liveUpdate: z.boolean().optional().describe("Results are those of the moment, whatever this says"),
    sortBy: z.enum(["name", "date", "size"]).optional(),
    sortDirection: z.enum(["asc", "desc"]).optional(),
  }),
  keys: { query: "keywords", path: "directory", types: "fileTypes", sort: "sortBy" },
  toArguments: (input) => {
    const foreign = unsupported.find(({ key }) => input[key] !== undefined)
    if (foreign) throw notSearched(foreign)
    const absolute = input.exclude?.find(isAbsolute)
    if (absolute !== undefined) throw notExcluded(absolute)
    const { keywords, directory, fileTypes, modifiedAfter, modifiedBefore, sortBy, limit } = input
    return given({
      query: keywords,
      path: directory,
      types: fileTypes,
      modified_after: modifiedAfter,
      modified_before: modifiedBefore,
      sort: sortBy,
      // What is left out or turned round afterwards must be there first.
      limit: needsAll(input) ? mostFiles : limit,
    })
  },
  state: (result, input) => {
    const results = resultsOf(dataOf<OutputOf<typeof findManifest>>(result).paths, input)
    return { results, totalCount: results.length }
  },
  content: (result, input) => {
    const { paths, complete } = dataOf<OutputOf<typeof findManifest>>(result)
    if (paths.length === 0) return textOf(result)
    const results = resultsOf(paths, input)
    const more = !complete ? "; there may be more" : ""
    return [...results, `[${results.length} ${results.length === 1 ? "file" : "files"}${more}]`].join("\n")
  },
})

const unsupported = [
  { key: "contentContains", instead: "grepContent" },
  { key: "createdAfter", instead: "modifiedAfter" },
  { key: "createdBefore", instead: "modifiedBefore" },
] as const

function notSearched({ key, instead }: (typeof unsupported)[number]): ToolError {
  return new ToolError("invalid_args", `Cannot search with "${key}": it is not supported here; use ${instead}`)
}

/** What is found is named from the workspace, so a place that is named from elsewhere would be passed over in silence. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\~]|[A-Za-z]:[/\\])/.test(path)
}

function notExcluded(path: string): ToolError {
  return new ToolError("invalid_args", `Cannot exclude "${path}": name it from the workspace, as in "src/old"`)
}

interface Order {
  readonly exclude?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly sortBy?: "name" | "date" | "size" | undefined
  readonly sortDirection?: "asc" | "desc" | undefined
}

function needsAll(order: Order): boolean {
  return (order.exclude?.length ?? 0) > 0 || isTurned(order)
}

/** Names rise and dates and sizes fall by themselves. */
function isTurned({ sortBy = "name", sortDirection }: Order): boolean {
  return sortDirection !== undefined && (sortBy === "name" ? sortDirection === "desc" : sortDirection === "asc")
}

function resultsOf(paths: readonly string[], order: Order): readonly string[] {
  const { exclude = [], limit } = order
  const places = exclude.map((place) => place.replace(/^\.\//, "").replace(/\/+$/, ""))
  const kept = paths.filter((path) => !places.some((place) => isInside(path, place)))
  const ordered = isTurned(order) ? kept.toReversed() : kept
  return limit === undefined ? ordered : ordered.slice(0, limit)
}
