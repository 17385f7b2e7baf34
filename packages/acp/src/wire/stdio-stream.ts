import { type Readable, Writable } from "node:stream"
import { ReadableStream } from "node:stream/web"
import { ndJsonStream, RequestError, type Stream } from "@agentclientprotocol/sdk/unstable"

/** Longer than any prompt with its pictures; what is longer is answered with an error and skipped. */
const maxFrameBytes = 32 * 1024 * 1024

const newline = 0x0a

/** The protocol over a pair of pipes, one frame a line. A frame that is too long costs itself and not the connection. */
export function stdioStream(input: Readable, output: Writable): Stream {
  const tooLong = () => {
    const words = `A frame has more than ${maxFrameBytes} bytes; send files as resource links`
    const { code, message } = RequestError.invalidRequest(undefined, words)
    output.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`)
  }
  const frames = ReadableStream.from(boundedFrames(input, tooLong))
  // One type of web streams for Node and for the library of the browser: they differ in what nobody uses here.
  return ndJsonStream(
    Writable.toWeb(output) as unknown as Parameters<typeof ndJsonStream>[0],
    frames as unknown as Parameters<typeof ndJsonStream>[1],
    { maxMessageBytes: maxFrameBytes },
  )
}

/** Lines with their end, in bounded memory. */
async function* boundedFrames(input: Readable, tooLong: () => void): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    let rest = chunk
    for (let at = rest.indexOf(newline); rest.length > 0; at = rest.indexOf(newline)) {
      const piece = at === -1 ? rest : rest.subarray(0, at + 1)
      rest = rest.subarray(piece.length)
      length += piece.length
      if (length > maxFrameBytes) pieces = []
      else pieces.push(piece)
      if (at === -1) break
      if (length > maxFrameBytes) tooLong()
      else yield Buffer.concat(pieces)
      pieces = []
      length = 0
    }
  }
  if (pieces.length > 0) yield Buffer.concat(pieces)
}
