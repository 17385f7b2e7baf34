import { type Context, type Execute, type OutputOf, ToolError } from "@haft/contract"
import { detectEncoding } from "@haft/tools/files/shared/text/index.js"
import { openText } from "@haft/tools/files/shared/text/open-text.js"
import type { manifest } from "./index.js"

type File = OutputOf<typeof manifest>["files"][number]

/** What one call may read of one file; larger ones are for `read`, which takes pages. */
const maxFileBytes = 10 * 1024 * 1024

/** Reads one file after the other; together they stay within the limit, each within its fair share. */
export const execute: Execute<typeof manifest> = async ({ paths, offset, limit }, context) => {
  const maxBytes = Math.floor(context.limit / paths.length)
  const files: File[] = []
  for (const path of paths) files.push(await fileOrError(path, { offset, limit, maxBytes }, context))
  return { files, failed: files.filter(({ error }) => error !== undefined).length }
}

interface Wanted {
  readonly offset: number
  readonly limit: number
  readonly maxBytes: number
}

type ReadContext = Context<(typeof manifest)["requires"]>

async function fileOrError(path: string, wanted: Wanted, context: ReadContext): Promise<File> {
  try {
    return { path, ...sliceLines(await textOf(path, context), wanted) }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!ToolError.is(error)) throw error
    return { path, content: "", start_line: 0, line_count: 0, eof: false, error: error.message }
  }
}

async function textOf(path: string, { files }: ReadContext): Promise<string> {
  const { bytes } = await files.readAll(path, { maxBytes: maxFileBytes })
  const encoding = await detectEncoding(bytes)
  if (encoding === "binary") {
    throw new ToolError("unsupported", `Cannot read "${path}" as text: it is a binary file`)
  }
  const { content } = await openText(bytes, encoding)
  return content
}

/** Some lines of a text. */
interface LineSlice {
  readonly content: string
  readonly start_line: number
  readonly line_count: number
  readonly eof: boolean
  readonly total_lines?: number
}

/** Whole lines from `offset`, at most `limit` and within `maxBytes` of UTF-8; a first line that is longer alone is cut. */
export function sliceLines(
  text: string,
  { offset, limit, maxBytes }: { readonly offset: number; readonly limit: number; readonly maxBytes: number },
): LineSlice {
  const lines = linesOf(text)
  const taken: string[] = []
  let room = maxBytes
  for (const line of lines.slice(offset, offset + limit)) {
    const size = new TextEncoder().encode(line).length
    if (size > room && taken.length > 0) break
    taken.push(size > room ? cut(line, room) : line)
    room -= size
    if (room <= 0) break
  }
  const eof = offset + taken.length >= lines.length
  return {
    content: taken.join(""),
    start_line: taken.length === 0 ? 0 : offset + 1,
    line_count: taken.length,
    eof,
    ...(eof && { total_lines: lines.length }),
  }
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function cut(line: string, maxBytes: number): string {
  // Any unit of a string has at most three bytes.
  return line.slice(0, Math.max(1, Math.floor(maxBytes / 3))).replace(/[\ud800-\udbff]$/, "")
}
