import { type Execute, type FileReader, type FileWriter, ToolError, type WriteReceipt } from "@haft/contract"
import { encodeText, maxTextBytes } from "@haft/tools/files/shared/text/index.js"
import type { manifest } from "./index.js"

/** Writes the file where it is, or into a parent that exists: none is made. */
export const execute: Execute<typeof manifest> = async ({ path, content }, { files }) => {
  const bytes = await encodeText(content, "utf-8")
  if (bytes.length > maxTextBytes) throw tooLarge(path, bytes.length)
  const receipt = await writeSilently(path, bytes, files)
  return { path: receipt.path, bytes_written: receipt.bytesWritten }
}

async function writeSilently(path: string, bytes: Uint8Array, files: FileReader & FileWriter): Promise<WriteReceipt> {
  const { kind, absolute } = await files.locate(path)
  if (kind === "missing") {
    await checkParent(path, absolute, files)
    return files.write(path, bytes)
  }
  try {
    return await files.write(path, bytes)
  } catch (error) {
    // The caller wants the file replaced, whatever became of it since somebody looked.
    if (!ToolError.is(error) || error.code !== "conflict") throw error
    return files.update(path, { maxBytes: maxReplacedBytes }, () => bytes)
  }
}

// The former content is kept for undo, so it has to fit into memory.
const maxReplacedBytes = 64 * 1024 * 1024

async function checkParent(path: string, absolute: string, files: FileReader): Promise<void> {
  const parent = absolute.replace(/[/\\][^/\\]*$/, "") || "/"
  const { kind } = await files.locate(parent)
  if (kind === "directory") return
  const reason = kind === "missing" ? "its folder does not exist" : "its parent is not a folder"
  throw new ToolError("not_found", `Cannot write "${path}": ${reason}; make the folder first`)
}

function tooLarge(path: string, size: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot write "${path}": the content has ${size} bytes and the limit is ${maxTextBytes}; write it in parts to several files`,
    { details: { size, limit: maxTextBytes } },
  )
}
