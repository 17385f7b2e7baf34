import { resolve } from "node:path"
import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import type { CallRecord, FilePreview, Hunk, ObservedEffect } from "@haft/contract"

/** Reads files for a diff. */
export interface DiffSource {
  readonly directory: string
  /** The text of a small file as it is now. */
  current(path: string): string | undefined
  /** Tells the content of a file now from any other; null for a missing one. */
  hash(path: string): Promise<string | null>
  /** What a file contained before a call, by content hash. */
  former(hash: string): Promise<Uint8Array | undefined>
}

type Diff = Extract<ToolCallContent, { type: "diff" }>
type Change = Extract<ObservedEffect, { readonly after: string | null }>

// A person looks at a few; the rest is in the locations.
const maxDiffs = 20
const maxTextBytes = 512 * 1024

/** What a call would change, for the person who is asked. */
export function previewDiffs(files: readonly FilePreview[], source: DiffSource): Diff[] {
  return files.slice(0, maxDiffs).flatMap((file) => previewDiff(file, source))
}

function previewDiff({ path, to, action, hunks, linesLeftOut }: FilePreview, source: DiffSource): Diff[] {
  const place = resolve(source.directory, to ?? path)
  if (action === "create") return [diffOf(place, null, newText(hunks))]
  const now = source.current(resolve(source.directory, path))
  const changed = now === undefined || linesLeftOut !== undefined ? undefined : applied(now, hunks)
  if (now !== undefined && changed !== undefined) return [diffOf(place, now, changed)]
  // Of what is too large, or has changed meanwhile, the changed places themselves.
  return hunks.map((hunk) => diffOf(place, oldText([hunk]), newText([hunk])))
}

/** A file that calls changed, from what it was before the first of them to what it is now. */
export interface ChangedFile {
  readonly path: string
  readonly change: "created" | "changed" | "deleted"
  /** Absent where its texts are not to be had: no text, too large, or not to be shown. */
  readonly diff?: Diff
}

/** What calls changed together. A file that is again as it was is left out. */
export async function changedFiles(calls: readonly CallRecord[], source: DiffSource): Promise<readonly ChangedFile[]> {
  const changes = new Map<string, Change>()
  for (const effect of calls.flatMap(({ effects }) => effects)) {
    if (!("after" in effect)) continue
    const first = changes.get(effect.path)
    changes.set(effect.path, first ? { ...first, after: effect.after } : effect)
  }
  const files = await Promise.all([...changes.values()].map((change) => changedFile(change, source)))
  return files.flat().sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function changedFile(change: Change, source: DiffSource): Promise<readonly ChangedFile[]> {
  const { path, before } = change
  // An undo, and what the person did since, are no effects of a call.
  const after = isContent(before) && isContent(change.after) ? await source.hash(path) : change.after
  if (before === after) return []
  const [diff] = await effectDiff({ ...change, after }, source)
  if (diff && diff.oldText === diff.newText && after !== null) return []
  const kind = before === null ? "created" : after === null ? "deleted" : "changed"
  return [{ path, change: kind, ...(diff && { diff }) }]
}

/** What a call changed, whole file by whole file, as far as the texts are still to be had. */
export async function effectDiffs({ effects }: CallRecord, source: DiffSource): Promise<Diff[]> {
  const changes = effects.filter((effect): effect is Change => "after" in effect).slice(0, maxDiffs)
  const diffs = await Promise.all(changes.map((change) => effectDiff(change, source)))
  return diffs.flat()
}

async function effectDiff({ path, before, after, kept }: Change, source: DiffSource): Promise<Diff[]> {
  if (!isContent(before) || !isContent(after)) return []
  const old = before === null ? null : kept === true ? textOf(await source.former(before)) : undefined
  const now = after === null ? "" : source.current(path)
  return old === undefined || now === undefined ? [] : [diffOf(path, old, now)]
}

function isContent(hash: string | null): boolean {
  return hash === null || /^[0-9a-f]{64}$/.test(hash)
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > maxTextBytes) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function diffOf(path: string, oldText: string | null, newText: string): Diff {
  return { type: "diff", path, oldText, newText }
}

function oldText(hunks: readonly Hunk[]): string {
  return sideOf(hunks, "+")
}

function newText(hunks: readonly Hunk[]): string {
  return sideOf(hunks, "-")
}

/** One side of hunks: their lines without those of the other side. */
function sideOf(hunks: readonly Hunk[], other: "+" | "-"): string {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const own = lines.flatMap((line) => (line.startsWith(other) || line.startsWith("\\") ? [] : [line.slice(1)]))
  return own.length === 0 ? "" : `${own.join("\n")}${lines.at(-1)?.startsWith("\\") ? "" : "\n"}`
}

/** The text after the hunks; undefined where they do not fit it. */
function applied(text: string, hunks: readonly Hunk[]): string | undefined {
  const lines = text.split("\n")
  const result: string[] = []
  let at = 0
  for (const { oldStart, oldLines, lines: changed } of hunks) {
    const start = oldLines === 0 ? oldStart : oldStart - 1
    if (start < at || start > lines.length) return undefined
    result.push(...lines.slice(at, start))
    at = start
    for (const line of changed) {
      const [sign, rest] = [line[0], line.slice(1)]
      if (sign === "\\") continue
      if (sign !== "+" && lines[at++]?.replace(/\r$/, "") !== rest.replace(/\r$/, "")) return undefined
      if (sign !== "-") result.push(rest)
    }
  }
  return [...result, ...lines.slice(at)].join("\n")
}
