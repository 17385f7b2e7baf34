/** What a frame between the relay and the proxy means. */
export const frameKinds = { open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const

/** Bytes of a stream that may be on their way before the other side has to say that it took some. */
export const windowBytes = 256 * 1024

/** One frame. */
export interface Frame {
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
export function createFrameReader(): (chunk: Buffer) => readonly Frame[] {
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
