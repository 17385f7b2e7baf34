import { type NamedEffect, type Skipped, ToolError } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

// Long enough to recognise a pattern by; the caller has the whole of it.
const shownCharacters = 200

/** A value of the caller in quotes, shortened when it is long. */
export function quoted(value: string): string {
  if (value.length <= shownCharacters) return `"${value}"`
  // Not between the two halves of a pair.
  return `"${value.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, "")}..."`
}

/** A path as one line: one that holds line breaks would look like several. */
export function onOneLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path
}

/** How long a search may run: well below the tools' own limit, so that what was found can still be returned. */
export const searchTimeoutMs = 20_000

/** What a search left out; a field is there only when something was. */
export const skippedSchema = z
  .strictObject({
    denied: z.int().min(1).optional().describe("Files that a rule denies"),
    unreadable: z.int().min(1).optional().describe("Files that could not be read"),
    changed: z.int().min(1).optional().describe("Files that changed during the search"),
    unsaved: z.array(z.string()).min(1).optional().describe("Files whose unsaved text in the editor was not searched"),
  })
  .optional()

/** The output of a search that lists paths. */
export function pathsOutput(what: "files" | "paths") {
  return outputSchema({
    paths: z.array(z.string()),
    complete: z.boolean().describe(`False when there may be more ${what} than these`),
    total: z.int().min(0).optional().describe("How many there are in all, when that is known"),
    skipped: skippedSchema,
    timed_out: z.literal(true).optional(),
  })
}

/** What the manifests of searches have in common. */
export const searching = {
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  kind: "search",
  tier: "read-only",
  retry: "safe",
  timeoutMs: 30_000,
} as const

/** Reads below the path, by default below the working directory. */
export function readsBelow(path = "."): readonly NamedEffect[] {
  return [{ kind: "fs.read", path }]
}

type SkippedFiles = z.infer<typeof skippedSchema>

/** The `skipped` field of a search's output; nothing when nothing was left out. */
export function skippedField(found: Skipped): { readonly skipped?: SkippedFiles } {
  const { denied, unreadable, changed = 0, unsaved = [] } = found
  const skipped = {
    ...(denied > 0 && { denied }),
    ...(unreadable > 0 && { unreadable }),
    ...(changed > 0 && { changed }),
    ...(unsaved.length > 0 && { unsaved: [...unsaved] }),
  }
  return Object.keys(skipped).length === 0 ? {} : { skipped }
}

/** What was left out, in words. */
export function skippedNotes(skipped: SkippedFiles): readonly string[] {
  return [
    ...(skipped?.denied === undefined ? [] : [`${skipped.denied} left out by rules`]),
    ...(skipped?.unreadable === undefined ? [] : [`${skipped.unreadable} could not be read`]),
    ...(skipped?.changed === undefined ? [] : [`${skipped.changed} changed during the search; search again`]),
    ...(skipped?.unsaved === undefined ? [] : [unsavedNote(skipped.unsaved)]),
  ]
}

const mostNamed = 3

function unsavedNote(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).map(onOneLine).join(", ")
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ""
  return `unsaved text of ${named}${more} in the editor was not searched`
}

/** What to say about a glob that found nothing and looks like several: only braces hold alternatives. */
export function severalNotes(glob: string | undefined): readonly string[] {
  if (glob === undefined || /[{}\\]/.test(glob)) return []
  const parts = glob.split(/[,|]/).map((part) => part.trim())
  const words = glob.split(/\s+/)
  // A name may hold blanks; several wildcards between blanks are several patterns.
  const several = parts.length > 1 ? parts : words.every((word) => /[*?]/.test(word)) ? words : []
  return several.length > 1 ? [`for several patterns send ${quoted(`{${several.join(",")}}`)}`] : []
}

/** Refuses a pattern that no single line can match; the hint is made from its lines, as patterns of their own. */
export function refuseLineBreak(pattern: string, hint: (lines: readonly string[]) => string): void {
  const lines = linesOf(pattern)
  if (lines.length < 2) return
  const reason = "it contains a line break, and the search goes line by line"
  const characters = pattern.includes("\\n") ? ". To find a backslash and an n as they are, write \\\\n" : ""
  throw new ToolError("invalid_args", `Cannot search for ${quoted(pattern)}: ${reason}`, {
    hint: `${hint(lines)}${characters}`,
  })
}

/** Which line can be searched for alone, by its place; undefined when each is a fragment of an expression. */
export function searchableLine(lines: readonly string[]): number | undefined {
  const index = lines.findIndex((line) => line.trim() !== "" && !/[()[\]{}\\|]/.test(line) && !/^[*+?]/.test(line))
  return index < 0 ? undefined : index
}

/** The parts of a pattern between line breaks, also written ones; `[^\n]` holds none. */
function linesOf(pattern: string): readonly string[] {
  // With this flag a real line break is a blank between parts of the expression.
  const isSpaced = /\(\?[a-z]*x/i.test(pattern)
  const lines: string[] = []
  let from = 0
  let isClosed = true
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]
    const width = pattern.startsWith("\\n", index) ? 2 : character === "\n" && !isSpaced ? 1 : 0
    if (width > 0) {
      lines.push(pattern.slice(from, index).replace(/(?:\r|\\r\??)$/, ""))
      from = index + width
      index = from - 1
    } else if (character === "\\") index += 1
    else if (character === "[" && isClosed) {
      const end = pattern.indexOf("]", index + 2)
      isClosed = end >= 0
      if (isClosed) index = end
    }
  }
  return [...lines, pattern.slice(from)]
}
