import { Duplex } from "node:stream"

/** Takes apart what the relay sends over one connection and hands out each stream as a connection of its own. */
export function acceptStreams(carrier: Duplex, onStream: (stream: Duplex) => void): void {
  const streams = new Map<number, CarriedStream>()
  const read = createFrameReader()
  // Each stream waits here for its turn.
  carrier.setMaxListeners(0)

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
      return !carrier.writableNeedDrain
    })
    const onDrain = () => stream.goOn()
    carrier.on("drain", onDrain)
    stream.once("close", () => carrier.off("drain", onDrain))
    streams.set(id, stream)
    stream.once("close", () => streams.delete(id))
    onStream(stream)
  }
}

const maxStreams = 1024

/** One connection that was accepted inside the sandbox. A class because a stream is what has identity and lifetime here. */
class CarriedStream extends Duplex {
  /** False when the connection has more to write than it can; a client that does not read must not fill this memory. */
  readonly #send: (kind: number, body?: Uint8Array) => boolean
  #isFull = false
  #credit = windowBytes
  #unread = 0
  #waiting: (() => void) | undefined

  constructor(send: (kind: number, body?: Uint8Array) => boolean) {
    super({ allowHalfOpen: true })
    this.#send = send
  }

  /** Content from inside; null is its end. */
  receive(body: Buffer | null): void {
    if (body === null) return void this.push(null)
    this.#unread += body.length
    // The other side knows how much it may send (backpressure); one that sends more is not our relay.
    if (this.#unread > windowBytes * 2) return void this.destroy()
    this.push(body)
  }

  addCredit(bytes: number): void {
    this.#credit += bytes
    this.#tryNext()
  }

  /** The connection has written what it had. */
  goOn(): void {
    this.#isFull = false
    this.#tryNext()
  }

  #tryNext(): void {
    if (this.#credit <= 0 || this.#isFull) return
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
    this.#isFull = !this.#send(frameKinds.data, chunk)
    this.#credit -= chunk.length
    this.#waiting = done
    this.#tryNext()
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

/** What a frame between the relay and the proxy means. */
export const frameKinds = { open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const

/** Bytes of a stream that may be on their way before the other side has to say that it took some. */
export const windowBytes = 256 * 1024

interface Frame {
  readonly id: number
  readonly kind: number
  readonly body: Buffer
}

const headBytes = 9
/** The relay sends what one read gives it, which is less; more is never allowed to be on its way. */
const maxBodyBytes = windowBytes

/** A frame as bytes. */
export function encodeFrame(id: number, kind: number, body: Uint8Array = new Uint8Array()): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + body.length)
  bytes.writeUInt32BE(id, 0)
  bytes.writeUInt8(kind, 4)
  bytes.writeUInt32BE(body.length, 5)
  bytes.set(body, headBytes)
  return bytes
}

/** Cuts a stream of bytes into frames; throws when a command speaks something else. */
function createFrameReader(): (chunk: Buffer) => readonly Frame[] {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const frames: Frame[] = []
    while (held.length >= headBytes) {
      const length = held.readUInt32BE(5)
      if (length > maxBodyBytes) throw new RangeError(`A frame of ${length} bytes is too long`)
      if (held.length < headBytes + length) break
      const body = held.subarray(headBytes, headBytes + length)
      frames.push({ id: held.readUInt32BE(0), kind: held.readUInt8(4), body })
      held = held.subarray(headBytes + length)
    }
    return frames
  }
}
