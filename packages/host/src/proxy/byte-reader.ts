import type { Duplex } from "node:stream"

/** Reads exact numbers of bytes from the beginning of a connection and then gives the connection back. */
export interface ByteReader {
  /** Rejects when the connection ends before. */
  take(length: number): Promise<Buffer>
  /** Stops reading; what was read too far is put back. */
  giveBack(): void
}

/** Takes over reading from a connection. */
export function readBytes(client: Duplex): ByteReader {
  let held: Buffer = Buffer.alloc(0)
  let hasEnded = client.readableEnded || client.destroyed
  let wake: (() => void) | undefined
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    wake?.()
  }
  const onEnd = () => {
    hasEnded = true
    wake?.()
  }
  client.on("data", onData)
  client.on("end", onEnd)
  client.on("close", onEnd)
  return {
    async take(length) {
      while (held.length < length) {
        if (hasEnded) throw new Error("The client ended too early")
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const bytes = held.subarray(0, length)
      held = held.subarray(length)
      return bytes
    },
    giveBack() {
      client.pause()
      client.off("data", onData)
      client.off("end", onEnd)
      client.off("close", onEnd)
      if (held.length > 0) client.unshift(held)
    },
  }
}
