import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { dial } from "./dial.js"

const server = createServer((socket) => socket.on("error", () => undefined))
let port: number
const signal = new AbortController().signal

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

test("the next address is tried when one fails", async () => {
  // Nobody listens at the first one, or this machine does not have it.
  const socket = await dial(["127.0.0.9", "127.0.0.1"], port, { signal })
  expect(socket.remoteAddress).toBe("127.0.0.1")
  socket.destroy()
})

test("when all fail the first failure is told", async () => {
  await expect(dial(["127.0.0.1", "127.0.0.1"], 1, { signal })).rejects.toMatchObject({ code: "ECONNREFUSED" })
  await expect(dial([], port, { signal })).rejects.toThrow("no address")
})

test("a name is never dialled", async () => {
  await expect(dial(["localhost"], port, { signal })).rejects.toThrow('"localhost" is no address')
})

test("giving up ends it, before and meanwhile", async () => {
  await expect(dial(["127.0.0.1"], port, { signal: AbortSignal.abort("over") })).rejects.toBe("over")
  const giving = new AbortController()
  const pending = dial(["127.0.0.1"], port, { signal: giving.signal })
  giving.abort("enough")
  await expect(pending).rejects.toBe("enough")
})
