import { type Execute, ToolError } from "@haft/contract"
import { changeHunks } from "@haft/tools/files/shared/change-hunks.js"
import { encodeText } from "@haft/tools/files/shared/text/index.js"
import { stringAsLines } from "@haft/tools/files/shared/text/lines.js"
import type { manifest } from "./index.js"

/** Null for a file that is new, and for one that was no UTF-8 text. */
type Original = string | null

/** Writes the whole file; the port makes parents, keeps mode bits and refuses a file that changed since it was read. */
export const execute: Execute<typeof manifest> = async ({ path, content }, { files, limit, setState }) => {
  const bytes = await encodeText(content, "utf-8")
  if (bytes.length > limit) throw tooLarge(path, bytes.length, limit)
  const receipt = await files.write(path, bytes)
  const original: Original = receipt.before === undefined ? null : textOrNull(receipt.before)
  const before = original ?? ""
  const change = { start: 0, end: before.length, text: content }
  const hunks = before === content ? [] : changeHunks(stringAsLines(before), [change])
  setState({ hunks, original })
  return { path: receipt.path, created: receipt.created, bytes_written: receipt.bytesWritten }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function textOrNull(bytes: Uint8Array): Original {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function tooLarge(path: string, size: number, limit: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot write "${path}": the content is too large, ${size} bytes where the limit is ${limit}; write it in parts to several files`,
    { details: { size, limit } },
  )
}
