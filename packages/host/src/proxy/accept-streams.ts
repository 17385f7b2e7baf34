import { Duplex } from "node:stream"
import { createFrameReader, encodeFrame, type Frame, frameKinds, windowBytes } from "./frames.js"

/** Takes apart what the relay sends over one connection and hands out each stream as a connection of its own. */
export function acceptStreams(carrier: Duplex, onStream: (stream: Duplex) => void): void {
  const streams = new Map<number, CarriedStream>()
  const read = createFrameReader()

  carrier.on("data", (chunk: Buffer) => {
    try {
      for (const frame of read(chunk)) take(frame)
    } catch {
      carrier.destroy()
    }
  })
  carrier.on("error", () => carrier.destroy())
  carrier.on("close", () => {
    for (const stream of streams.values()) stream.destroy()
  })

  function take({ id, kind, body }: Frame): void {
    if (kind === frameKinds.open) {
      openStream(id)
      return
    }
    const stream = streams.get(id)
    if (!stream) return
    if (kind === frameKinds.data) stream.receive(body)
    else if (kind === frameKinds.end) stream.receive(null)
    else if (kind === frameKinds.reset) stream.destroy()
    else if (kind === frameKinds.credit) stream.addCredit(body.readUInt32BE(0))
  }

  function openStream(id: number): void {
    if (streams.has(id) || streams.size >= maxStreams) throw new RangeError("The relay opens too many streams")
    const stream = new CarriedStream((kind, body) => {
      if (carrier.writable) carrier.write(encodeFrame(id, kind, body))
    })
    streams.set(id, stream)
    stream.once("close", () => streams.delete(id))
    onStream(stream)
  }
}

const maxStreams = 1024

/** One connection that was accepted inside the wall. A class because a stream is what has identity and lifetime here. */
class CarriedStream extends Duplex {
  readonly #send: (kind: number, body?: Uint8Array) => void
  #credit = windowBytes
  #unread = 0
  #waiting: (() => void) | undefined

  constructor(send: (kind: number, body?: Uint8Array) => void) {
    super({ allowHalfOpen: true })
    this.#send = send
  }

  /** Content from inside; null is its end. */
  receive(body: Buffer | null): void {
    if (body === null) return void this.push(null)
    this.#unread += body.length
    // The other side was told how much it may send; one that sends more is not our relay.
    if (this.#unread > windowBytes * 2) return void this.destroy()
    this.push(body)
  }

  addCredit(bytes: number): void {
    this.#credit += bytes
    if (this.#credit <= 0) return
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.()
  }

  override _read(): void {
    // Called when the reader wants more, so what was pushed before has been taken.
    const taken = this.#unread - this.readableLength
    if (taken <= 0) return
    this.#unread -= taken
    const body = Buffer.alloc(4)
    body.writeUInt32BE(taken)
    this.#send(frameKinds.credit, body)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(frameKinds.data, chunk)
    this.#credit -= chunk.length
    if (this.#credit > 0) done()
    else this.#waiting = done
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#send(frameKinds.end)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // After a proper end the other side may still be writing what it got; a reset would cut that off.
    if (!this.readableEnded || !this.writableFinished) this.#send(frameKinds.reset)
    this.#waiting = undefined
    done(error)
  }
}
