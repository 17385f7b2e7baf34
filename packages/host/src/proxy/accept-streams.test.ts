import { Duplex } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { acceptStreams, encodeFrame, frameKinds, windowBytes } from "./accept-streams.js"

test("a relay that grants all and reads nothing does not fill the memory of the proxy", async () => {
  let release: (() => void) | undefined
  const carrier = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      release = done
    },
  })
  const opened: Duplex[] = []
  acceptStreams(carrier, (stream) => opened.push(stream))
  carrier.push(encodeFrame(7, frameKinds.open))
  const credit = Buffer.alloc(4, 0xff)
  carrier.push(encodeFrame(7, frameKinds.credit, credit))
  await nextTurn()
  const [stream] = opened
  const piece = Buffer.alloc(64 * 1024)
  for (let sent = 0; sent < 64; sent += 1) stream!.write(piece)
  await nextTurn()
  // What it was given waits in front of it, where a source is stopped; the connection itself holds a piece or two.
  expect(carrier.writableLength).toBeLessThan(3 * piece.length)
  const before = stream!.writableLength
  release!()
  await nextTurn()
  expect(stream!.writableLength).toBeLessThan(before)
  carrier.destroy()
})

test("a frame that is larger than may ever be on its way ends the connection", async () => {
  const carrier = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  acceptStreams(carrier, () => undefined)
  const head = encodeFrame(1, frameKinds.data)
  head.writeUInt32BE(windowBytes + 1, 5)
  carrier.push(head)
  await nextTurn()
  expect(carrier.destroyed).toBe(true)
})
