import { resolve } from "node:path"
import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import type { CallRecord, FilePreview, Hunk, ObservedEffect } from "@haft/contract"

/** Reads files for a diff. */
export interface DiffSource {
  readonly directory: string
  /** The text of a small file as it is now. */
  current(path: string): string | undefined
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

/** What a call changed, whole file by whole file, as far as the texts are still to be had. */
export async function effectDiffs({ effects }: CallRecord, source: DiffSource): Promise<Diff[]> {
  const changes = effects.filter((effect): effect is Change => "after" in effect).slice(0, maxDiffs)
  const diffs = await Promise.all(changes.map((change) => effectDiff(change, source)))
  return diffs.flat()
}

async function effectDiff({ path, before, after, kept }: Change, source: DiffSource): Promise<Diff[]> {
  const isContent = (hash: string | null) => hash === null || /^[0-9a-f]{64}$/.test(hash)
  if (!isContent(before) || !isContent(after)) return []
  const old = before === null ? null : kept === true ? textOf(await source.former(before)) : undefined
  const now = after === null ? "" : source.current(path)
  return old === undefined || now === undefined ? [] : [diffOf(path, old, now)]
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
