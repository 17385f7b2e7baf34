/**
 * The relay inside the sandbox, as text for `node -e`: it accepts connections on 127.0.0.1:3128 and carries each as a stream of
 * numbered frames over one inherited descriptor. It decides nothing; a command that ends it only loses its network.
 * A frame is number (4 bytes), kind (1), length (4), content; kinds as in `frames.ts`.
 */
export const relaySource = String.raw`
const net = require("net"), fs = require("fs")
const carrier = new net.Socket({ fd: Number(process.argv[1]), readable: true, writable: true })
const streams = new Map()
const window = 262144
let last = 0, held = Buffer.alloc(0)
const send = (id, kind, body = Buffer.alloc(0)) => {
  const head = Buffer.alloc(9)
  head.writeUInt32BE(id, 0); head.writeUInt8(kind, 4); head.writeUInt32BE(body.length, 5)
  carrier.cork(); carrier.write(head); if (body.length) carrier.write(body); carrier.uncork()
}
const credit = (bytes) => { const body = Buffer.alloc(4); body.writeUInt32BE(bytes, 0); return body }
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  const id = ++last
  const state = { socket, credit: window }
  streams.set(id, state)
  send(id, 1)
  socket.on("data", (chunk) => {
    send(id, 2, chunk)
    state.credit -= chunk.length
    if (state.credit <= 0) socket.pause()
  })
  socket.on("end", () => send(id, 3))
  socket.on("error", () => socket.destroy())
  socket.on("close", () => { if (streams.delete(id)) send(id, 4) })
})
carrier.on("data", (chunk) => {
  held = held.length ? Buffer.concat([held, chunk]) : chunk
  while (held.length >= 9) {
    const length = held.readUInt32BE(5)
    if (held.length < 9 + length) break
    const id = held.readUInt32BE(0), kind = held.readUInt8(4), body = held.subarray(9, 9 + length)
    held = held.subarray(9 + length)
    const state = streams.get(id)
    if (!state) continue
    if (kind === 2) state.socket.write(body, () => { if (streams.has(id)) send(id, 5, credit(body.length)) })
    else if (kind === 3) state.socket.end()
    else if (kind === 4) { streams.delete(id); state.socket.destroy() }
    else if (kind === 5) { state.credit += body.readUInt32BE(0); if (state.credit > 0) state.socket.resume() }
  }
})
carrier.on("error", () => process.exit(1))
carrier.on("close", () => process.exit(0))
server.on("error", () => process.exit(1))
server.listen(3128, "127.0.0.1", () => { fs.writeSync(1, "ready\n"); fs.closeSync(1) })
`
