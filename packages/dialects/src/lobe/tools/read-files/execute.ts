import { type Context, type Execute, type OutputOf, ToolError } from "@haft/contract"
import { detectEncoding } from "@haft/tools/files/shared/text/index.js"
import { openText } from "@haft/tools/files/shared/text/open-text.js"
import type { manifest } from "./index.js"
import { sliceLines } from "./slice-lines.js"

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
