import { type Readable, Transform } from "node:stream"

/** A stream without the line that it must begin with. */
export interface OpenedStream {
  /** What comes after the line; where the stream begins otherwise, all of it. */
  readonly rest: Transform
  /** Settles when the line was read. Stays open where it never comes. */
  readonly opened: Promise<void>
  isOpen(): boolean
}

/** Takes the opening line off a stream. */
export function afterOpening(source: Readable, line: string): OpenedStream {
  const expected = Buffer.from(`${line}\n`)
  let head: Buffer | undefined = Buffer.alloc(0)
  let isOpen = false
  let open: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const rest = new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (head === undefined) return done(null, piece)
      const sofar = Buffer.concat([head, piece])
      const isPrefix = expected.subarray(0, sofar.length).equals(sofar.subarray(0, expected.length))
      if (isPrefix && sofar.length < expected.length) {
        head = sofar
        return done()
      }
      head = undefined
      if (isPrefix) {
        isOpen = true
        open()
      }
      done(null, isPrefix ? sofar.subarray(expected.length) : sofar)
    },
    // A stream that ended before the line did tells what little it had.
    flush: (done) => done(null, head),
  })
  // The other end may vanish in any way; what was read until then counts.
  source.on("error", () => rest.end())
  source.once("close", () => rest.end())
  rest.once("close", () => source.destroy())
  source.pipe(rest)
  return { rest, opened, isOpen: () => isOpen }
}
