import { once } from "node:events"
import { type AddressInfo, createServer as createPlainServer, connect as dialPlainly } from "node:net"
import { connect, createServer, type TLSSocket } from "node:tls"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openRegistry } from "./private-registry.js"
import { createRegistryListener } from "./registry-listener.js"
import { createSandboxAuthority } from "./sandbox-authority.js"

const secret = "hush-77aa01c2"
const ending = new AbortController()
let received: string
let reply: string
let port: number
let close: () => void

/** A registry that keeps what it hears byte by byte, and a door of the sandbox that leads to it. */
beforeEach(async () => {
  received = ""
  reply = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
  const outside = createSandboxAuthority()
  const identity = outside.identityOf("localhost")
  const registry = createServer({ SNICallback: (_name, done) => done(null, identity) }, (socket) => {
    socket.on("error", () => socket.destroy())
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1")
      socket.write(reply)
    })
  })
  await once(registry.listen(0, "127.0.0.1"), "listening")
  const far = (registry.address() as AddressInfo).port
  const open = openRegistry({
    name: "work",
    address: `https://localhost:${far}/npm`,
    header: "authorization",
    secret: () => secret,
    authorities: [outside.certificate],
  })
  authority = createSandboxAuthority()
  const judgement = { host: "localhost", port: far, allowed: true, reason: "", addresses: ["127.0.0.1"] }
  const reach = async () => {
    const socket = dialPlainly({ host: "127.0.0.1", port: far })
    await once(socket, "connect")
    return socket
  }
  const listener = createRegistryListener({ authority, signal: ending.signal, reach })
  const door = createPlainServer((client) => {
    client.on("error", () => client.destroy())
    listener.serve(client, judgement, [open])
  })
  await once(door.listen(0, "127.0.0.1"), "listening")
  port = (door.address() as AddressInfo).port
  close = () => {
    door.close()
    listener.close()
    registry.close()
  }
})
afterEach(() => close())

let authority: ReturnType<typeof createSandboxAuthority>

/** Says something to the registry from inside, waits for so many answers, and gives what was heard. */
async function say(text: string, answers = 1): Promise<string> {
  const inside: TLSSocket = connect({ host: "127.0.0.1", port, servername: "localhost", ca: authority.certificate })
  inside.on("error", () => inside.destroy())
  inside.write(text)
  let heard = ""
  for await (const bytes of inside) {
    heard += String(bytes)
    if (heard.split("HTTP/1.1 ").length > answers) break
  }
  inside.destroy()
  return heard
}

const hidden = "PUT /npm/part HTTP/1.1\r\nhost: x\r\nx-rest: "

test.each([
  ["a chunked body", `transfer-encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
  [
    "a length that only the neighbour may see",
    `connection: keep-alive, content-length\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
  ],
])("a second request cannot be hidden in %s of a reading one", async (_what, rest) => {
  await say(`GET /npm/part HTTP/1.1\r\nhost: a\r\n${rest}GET /npm/other HTTP/1.1\r\nhost: a\r\n\r\n`, 2)
  expect(requestLines(received)).toEqual(["GET /npm/part", "GET /npm/other"])
})

/** The requests in what a server heard, each read by the words it has about its own length. */
function requestLines(text: string): readonly string[] {
  const [, line, headers, rest] = /^(\S+ \S+) HTTP\/1\.1\r\n([\s\S]*?\r\n)\r\n([\s\S]*)$/.exec(text) ?? []
  if (line === undefined) return text === "" ? [] : [text]
  const length = Number(/^content-length: (\d+)\r$/im.exec(headers!)?.[1] ?? 0)
  const isChunked = /^transfer-encoding: chunked\r$/im.test(headers!)
  return [line, ...requestLines(isChunked ? rest!.slice(rest!.indexOf("\r\n0\r\n\r\n") + 7) : rest!.slice(length))]
}

test.each([
  ["", true],
  ["content-length: 0\r\n", true],
  ["x-http-method-override: DELETE\r\n", false],
  ["X-HTTP-Method: PUT\r\n", false],
  ["x-original-url: /admin\r\n", false],
  ["x-rewrite-url: /admin\r\n", false],
  ["content-length: 2\r\n", false],
])("a request with %j gets the header: %s", async (line, isGiven) => {
  await say(`GET /npm/part HTTP/1.1\r\nhost: a\r\n${line}\r\n${line.includes(": 2") ? "{}" : ""}`)
  expect(received).toContain("GET /npm/part")
  expect(received.includes(secret)).toBe(isGiven)
})

test("a session that the secret opened does not come inside; one without it does", async () => {
  reply = "HTTP/1.1 200 OK\r\nset-cookie: session=1\r\nx-kept: 1\r\ncontent-length: 2\r\n\r\nok"
  expect(await say("GET /npm/part HTTP/1.1\r\nhost: a\r\n\r\n")).toMatch(/^(?![\s\S]*session=1)[\s\S]*x-kept: 1/)
  expect(await say("GET /other HTTP/1.1\r\nhost: a\r\n\r\n")).toContain("session=1")
})

test("an answer that would leave HTTP is none, and nothing is left of its connection", async () => {
  reply = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nraw"
  const heard = await say("GET /npm/part HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")
  expect(heard).toMatch(/^HTTP\/1\.1 502 (?![\s\S]*raw)/)
  expect(received).not.toContain("upgrade")
})
