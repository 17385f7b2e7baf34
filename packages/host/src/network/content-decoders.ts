import type { Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"
import { FetchFailure } from "./fetch-failure.js"
import { limits } from "./limits.js"

/** The names in a Content-Encoding header, in the order in which they were applied. */
export function readEncodings(header: string | undefined): readonly string[] {
  const names = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
  if (names.length > limits.encodings) {
    throw new FetchFailure("backend", `the answer is compressed ${names.length} times over`)
  }
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return names
  throw new FetchFailure(
    "unsupported",
    `the answer is encoded as "${unknown.slice(0, 50)}"`,
    "Ask for gzip, deflate or br",
  )
}

/** What takes the encodings off again; `first` are the first bytes of the encoded content. */
export function createDecoders(encodings: readonly string[], first: Uint8Array): readonly Transform[] {
  return encodings.toReversed().map((name, index) => {
    if (name === "br") return createBrotliDecompress()
    if (name !== "deflate") return createGunzip()
    // Some servers send the bare format under this name; its first byte can only be seen outermost.
    const isBare = index === 0 && (first[0]! & 0x0f) !== 8
    return isBare ? createInflateRaw() : createInflate()
  })
}

const known = new Set(["gzip", "x-gzip", "deflate", "br"])
