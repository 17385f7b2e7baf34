import { pipeline, Readable, type Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"
import { FetchFailure } from "./failure.js"
import { limits } from "./limits.js"

/** A body without its encodings. */
export interface DecodedBody {
  readonly bytes: Uint8Array
  /** True when there was more than `maxBytes`. */
  readonly cut: boolean
}

/** Reads a body to its end or to the limit, whichever comes first; what is held meanwhile is bounded too. */
export async function readBody(
  raw: Readable,
  { encodings, maxBytes }: { readonly encodings: readonly string[]; readonly maxBytes: number },
): Promise<DecodedBody> {
  const meter = createMeter(raw, maxBytes + limits.compressedSlackBytes)
  const first = await meter.pieces.next()
  if (first.done) return { bytes: new Uint8Array(0), cut: false }
  const sink = createByteSink(maxBytes)
  let isFull = false
  try {
    for await (const piece of decodedFrom(chain(first.value, meter.pieces), createDecoders(encodings, first.value))) {
      isFull = !sink.add(piece)
      if (isFull) break
    }
  } catch (error) {
    if (meter.failure !== undefined) throw meter.failure
    // Content that was not read to its end looks unfinished to its decoder; that is no damage.
    if (!meter.isOver) throw damaged(encodings, error)
  }
  return { bytes: sink.bytes(), cut: isFull || meter.isOver }
}

/** A body without its encodings, piece by piece; a reader that stops ends the source. */
export async function* readPieces(raw: Readable, encodings: readonly string[]): AsyncGenerator<Uint8Array, void> {
  const pieces = (raw as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) return
  const rest = { [Symbol.asyncIterator]: () => pieces }
  yield* decodedFrom(chain(first.value, rest), createDecoders(encodings, first.value))
}

interface Meter {
  readonly pieces: AsyncGenerator<Uint8Array, void>
  /** Set when the source itself failed. */
  failure?: unknown
  /** Set when more came than any honest content of the size would need. */
  isOver: boolean
}

function createMeter(raw: Readable, maxBytes: number): Meter {
  const meter: Meter = { pieces: read(), isOver: false }
  return meter

  async function* read(): AsyncGenerator<Uint8Array, void> {
    let size = 0
    try {
      for await (const piece of raw as AsyncIterable<Uint8Array>) {
        if (piece.length === 0) continue
        const allowed = piece.subarray(0, maxBytes - size)
        size += allowed.length
        meter.isOver = allowed.length < piece.length
        if (allowed.length > 0) yield allowed
        if (meter.isOver) return
      }
    } catch (error) {
      meter.failure = error
      throw error
    }
  }
}

/** A reader that stops ends every stream before. */
function decodedFrom(encoded: AsyncIterable<Uint8Array>, decoders: readonly Transform[]): AsyncIterable<Uint8Array> {
  const source = Readable.from(encoded)
  if (decoders.length === 0) return source
  pipeline([source, ...decoders], () => undefined)
  return decoders.at(-1)!
}

async function* chain(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield first
  yield* rest
}

function damaged(encodings: readonly string[], cause: unknown): Error {
  if (encodings.length === 0) return cause as Error
  const reason = `the ${encodings.join(", ")} content of the answer is damaged`
  return new FetchFailure("backend", reason, 'Try again, or send the header "accept-encoding: identity"')
}

/** Bytes that come in pieces of any size; thousands of tiny pieces cost no more than their bytes. */
interface ByteSink {
  /** False once more came than may be kept. */
  add(piece: Uint8Array): boolean
  /** What was kept. */
  bytes(): Uint8Array
}

/** Makes a sink that keeps the first `maxBytes` bytes. */
export function createByteSink(maxBytes: number): ByteSink {
  let held = new Uint8Array(0)
  let size = 0
  return {
    add(piece) {
      const kept = piece.subarray(0, maxBytes - size)
      if (size + kept.length > held.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max((size + kept.length) * 2, 16 * 1024)))
        larger.set(held.subarray(0, size))
        held = larger
      }
      held.set(kept, size)
      size += kept.length
      return kept.length === piece.length
    },
    bytes: () => held.slice(0, size),
  }
}

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
function createDecoders(encodings: readonly string[], first: Uint8Array): readonly Transform[] {
  return encodings.toReversed().map((name, index) => {
    if (name === "br") return createBrotliDecompress()
    if (name !== "deflate") return createGunzip()
    // Some servers send the bare format under this name; its first byte can only be seen outermost.
    const isBare = index === 0 && (first[0]! & 0x0f) !== 8
    return isBare ? createInflateRaw() : createInflate()
  })
}

const known = new Set(["gzip", "x-gzip", "deflate", "br"])
