import { type Execute, ToolError } from "@haft/contract"
import { detectEncoding, encodeText, maxTextBytes } from "../shared/text/index.js"
import type { manifest } from "./index.js"

/** Writes the whole file; the port makes parents, keeps mode bits and refuses a file that changed since it was read. */
export const execute: Execute<typeof manifest> = async ({ file_path, content }, { files }) => {
  const bytes = await encodeText(content, "utf-8")
  if (bytes.length > maxTextBytes) throw tooLarge(file_path, bytes.length)
  const { created, bytesWritten, before } = await files.write(file_path, bytes)
  const formerEncoding = before && (await otherThanUtf8(before))
  return {
    file_path,
    created,
    bytes_written: bytesWritten,
    ...(formerEncoding !== undefined && { former_encoding: formerEncoding }),
  }
}

/** A caller who replaces such a file should hear that programs which expect the former encoding may stumble. */
async function otherThanUtf8(before: Uint8Array): Promise<string | undefined> {
  const found = await detectEncoding(before, { sampleBytes: 65_536 })
  if (found === "binary") return "binary"
  return found.encoding === "utf-8" ? undefined : found.encoding
}

function tooLarge(path: string, size: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot write "${path}": the content has ${size} bytes and the limit is ${maxTextBytes}; write it in parts to several files`,
    { details: { size, limit: maxTextBytes } },
  )
}
