import { constants } from "node:fs"
import { open, realpath } from "node:fs/promises"
import { isBelow } from "@haft/contract"

// A pipe in the place of the file must not hold up the start; the last link was followed before.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** A text with the place that it really came from. */
export interface PlacedText {
  readonly text: string
  /** Absolute, links followed. */
  readonly realPath: string
}

/**
 * The text of a regular file below a folder; undefined when there is none. A link that leads out, anything but a
 * file, too many bytes and other bytes than UTF-8 throw an error that says which it was.
 */
export async function readWithin(
  path: string,
  folder: string,
  { maxBytes, accepts }: { readonly maxBytes: number; readonly accepts?: (realPath: string) => boolean },
): Promise<PlacedText | undefined> {
  const real = await realpath(path).catch(missingOr("it cannot be looked at"))
  if (real === undefined) return undefined
  if (!isBelow(real, await realpath(folder))) throw new Error("it leads out of its folder")
  if (accepts && !accepts(real)) throw new Error("it leads to a file of another kind")
  const file = await open(real, flags).catch(missingOr("it cannot be opened"))
  if (file === undefined) return undefined
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new Error("it is not a regular file")
    if (facts.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return { text: decode(await file.readFile()), realPath: real }
  } finally {
    await file.close()
  }
}

function missingOr(words: string): (error: NodeJS.ErrnoException) => undefined {
  return ({ code }) => {
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw new Error(`${words} (${code})`)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Error("it is not UTF-8")
  }
}
