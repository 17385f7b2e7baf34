import { type Readable, Writable } from "node:stream"
import { ReadableStream } from "node:stream/web"
import { ndJsonStream, RequestError, type Stream } from "@agentclientprotocol/sdk/unstable"
import { BoundedLines, TooLong } from "@haft/runtime"

/** Longer than any prompt with its pictures; what is longer is answered with an error and skipped. */
const maxFrameBytes = 32 * 1024 * 1024

const newline = Buffer.from("\n")

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
  const lines = new BoundedLines(maxFrameBytes - newline.length)
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    for (const line of lines.take(chunk)) {
      if (line instanceof TooLong) tooLong()
      else yield Buffer.concat([line, newline])
    }
  }
  const rest = lines.rest()
  if (rest && !(rest instanceof TooLong)) yield rest
}
