import { createServer as createHttpServer, request } from "node:http"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { Duplex } from "node:stream"
import { createServer as createTlsServer, connect as tlsConnect } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parseDestination } from "../address/destination.js"
import { acceptStreams, encodeFrame, frameKinds } from "./accept-streams.js"
import { DestinationProxy } from "./create-proxy.js"
import type { Decision } from "./decision.js"
import { createSandboxNetwork } from "./sandbox-network.js"
import { certificate, privateKey } from "./testing/certificate.js"

const listen = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)))

const web = createHttpServer((incoming, response) => {
  if (incoming.url === "/redirect") response.writeHead(302, { location: "http://other.example/" }).end()
  else response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }))
})
/** Answers with the bytes that the path names. */
const odd = createServer((socket) => {
  socket.on("error", () => undefined)
  socket.once("data", (chunk) => socket.end(decodeURIComponent(/^GET \/(\S*)/.exec(chunk.toString("latin1"))![1]!)))
})
const secure = createTlsServer({ key: privateKey, cert: certificate }, (socket) => socket.end("secure"))
const decisions: Decision[] = []
let proxy: DestinationProxy
let door: Server
let ports: readonly [number, number, number]
let oddPort: number

beforeAll(async () => {
  const [webPort, securePort] = [await listen(web), await listen(secure)]
  oddPort = await listen(odd)
  const granted = [webPort, securePort, oddPort].map((port) => parseDestination(`site.example:${port}`)!)
  proxy = new DestinationProxy({
    destinations: [],
    named: granted,
    resolve: async (host) => (host === "site.example" ? ["127.0.0.1"] : []),
    onDecision: (one) => decisions.push(one),
  })
  door = createServer({ allowHalfOpen: true }, (socket) => proxy.serve(socket))
  ports = [webPort, securePort, await listen(door)]
})
afterAll(() => {
  proxy.close()
  for (const server of [web, odd, secure, door]) server.close()
})

test("a plain request is carried with the judged name, without headers that are between client and proxy", async () => {
  const answer = JSON.parse(
    await get(`http://site.example:${ports[0]}/a?b=1`, {
      host: "evil.example",
      "proxy-authorization": "x",
      connection: "x-hop",
      "x-hop": "1",
    }),
  )
  expect(answer.url).toBe("/a?b=1")
  expect(answer.headers.host).toBe(`site.example:${ports[0]}`)
  expect(answer.headers).not.toHaveProperty("proxy-authorization")
  expect(answer.headers).not.toHaveProperty("x-hop")
})

test("a body that a reading request has stays a body, in whatever way its length was said", async () => {
  const body = "GET http://inner.example/ HTTP/1.1\r\n\r\n"
  const length = String(body.length)
  const say = async (headers: Record<string, string>) =>
    JSON.parse(await get(`http://site.example:${ports[0]}/`, headers, ports[2], body)).headers
  expect(await say({ "transfer-encoding": "chunked" })).toHaveProperty("transfer-encoding", "chunked")
  const hidden = { connection: "content-length", "content-length": length }
  expect(await say(hidden)).toHaveProperty("content-length", length)
})

test("[C2-87] a redirect is not followed: the client asks again and is judged again", async () => {
  await get(`http://site.example:${ports[0]}/redirect`)
  expect(await get("http://other.example/")).toContain("no rule allows other.example:80")
  expect(decisions.at(-1)).toMatchObject({ host: "other.example", port: 80, allowed: false })
})

test("what is no http address, and a request that is not for a proxy, is an answer and not a crash", async () => {
  expect(await get("ftp://site.example/")).toContain("whole http address")
  expect(await get("/path")).toContain("whole http address")
})

test.each(["000", "099", "101"])(
  "an answer with the status %s is a failure of its server and no crash",
  async (status) => {
    const text = encodeURIComponent(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`)
    expect(await get(`http://site.example:${oddPort}/${text}`)).toContain("site.example cannot be reached")
  },
)

test("a whole answer arrives, whatever its server says behind it", async () => {
  const text = encodeURIComponent("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole, and more")
  expect(await get(`http://site.example:${oddPort}/${text}`)).toBe("whole")
})

test("a client that ends without a word is let go, also when it came over the relay", async () => {
  expect(await talk(Buffer.alloc(0))).toHaveLength(0)
  const sent: Buffer[] = []
  const carrier = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk)
      done()
    },
  })
  acceptStreams(carrier, (client) => proxy.serve(client))
  for (const kind of [frameKinds.open, frameKinds.end]) carrier.push(encodeFrame(1, kind))
  await new Promise((resolve) => setImmediate(resolve))
  expect(Buffer.concat(sent)).toEqual(encodeFrame(1, frameKinds.end))
  carrier.destroy()
})

test("TLS goes through when the client asks for the name it connected to", async () => {
  expect(await overTls("site.example", "site.example")).toBe("secure")
})

test("[C2-87] TLS for another name than the one that was judged is cut off", async () => {
  expect(await overTls("site.example", "hidden.example")).toBe("")
  expect(decisions.at(-1)).toMatchObject({
    host: "site.example",
    allowed: false,
    reason: expect.stringContaining("hidden.example"),
  })
  expect(await overTls("site.example", "")).toBe("")
})

test("garbage, half requests and sudden ends do no harm", async () => {
  for (const bytes of [
    "\x05",
    "\x05\x01",
    "\x05\x01\x00\x05\x01\x00\x03\xff",
    "GET",
    "CONNECT x HTTP/1.1\r\n\r\n",
    "\x16\x03\x01",
    "\0\0\0",
    "CONNECT site.example:99999 HTTP/1.1\r\n\r\n",
  ]) {
    await talk(Buffer.from(bytes, "latin1"))
  }
  expect(JSON.parse(await get(`http://site.example:${ports[0]}/still`)).url).toBe("/still")
})

test("SOCKS5: a granted name is answered with 0, another with 2, another command with 7", async () => {
  const ask = (command: number, host: string, port: number) =>
    talk(
      Buffer.concat([
        Buffer.from([5, 1, 0, 5, command, 0, 3, host.length]),
        Buffer.from(host),
        Buffer.from([port >> 8, port & 255]),
      ]),
    )
  expect([...(await ask(1, "site.example", ports[0])).subarray(0, 4)]).toEqual([5, 0, 5, 0])
  expect([...(await ask(1, "other.example", 443)).subarray(0, 4)]).toEqual([5, 0, 5, 2])
  expect([...(await ask(2, "site.example", ports[0])).subarray(0, 4)]).toEqual([5, 0, 5, 7])
})

test("SOCKS5 carries a whole request and its answer", async () => {
  const host = "site.example"
  const answer = await talk(
    Buffer.concat([
      Buffer.from([5, 1, 0]),
      Buffer.from([5, 1, 0, 3, host.length, ...Buffer.from(host), ports[0] >> 8, ports[0] & 255]),
      Buffer.from(`GET /over-socks HTTP/1.0\r\nHost: ${host}\r\n\r\n`),
    ]),
  )
  expect(answer.toString("latin1")).toContain('"url":"/over-socks"')
})

test("a network can listen at a port of this machine, for sandboxes without a network of their own", async () => {
  const network = await createSandboxNetwork({
    hosts: [],
    netGrants: [`127.0.0.1:${ports[0]}`],
    bundle: async () => undefined,
    onDecision: () => undefined,
  })
  const { port, variables } = await network.listen()
  expect(variables.HTTPS_PROXY).toBe(`http://127.0.0.1:${port}`)
  expect(JSON.parse(await get(`http://127.0.0.1:${ports[0]}/x`, {}, port)).url).toBe("/x")
  network.close()
})

test("a relay that sends nonsense, too long frames or too many streams is cut off", async () => {
  const cut = async (...chunks: Buffer[]) => {
    const carrier = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    acceptStreams(carrier, () => undefined)
    for (const chunk of chunks) carrier.push(chunk)
    await new Promise((resolve) => setImmediate(resolve))
    return carrier.destroyed
  }
  expect(await cut(Buffer.from([0, 0, 0, 1, 2, 0xff, 0xff, 0xff, 0xff]))).toBe(true)
  expect(await cut(encodeFrame(1, frameKinds.open), encodeFrame(1, frameKinds.open))).toBe(true)
  expect(await cut(encodeFrame(7, frameKinds.data, Buffer.from("for nobody")))).toBe(false)
  expect(await cut(...Array.from({ length: 1100 }, (_, index) => encodeFrame(index, frameKinds.open)))).toBe(true)
})

function get(url: string, headers: Record<string, string> = {}, port = ports[2], body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: "127.0.0.1", port, path: url, headers: { host: "x", ...headers }, agent: false },
      (response) => {
        let text = ""
        response.on("data", (chunk) => (text += chunk))
        response.on("end", () => resolve(text))
      },
    )
    asked.on("error", reject)
    asked.end(body)
  })
}

function talk(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect(ports[2], "127.0.0.1", () => socket.end(bytes))
    const chunks: Buffer[] = []
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(Buffer.concat(chunks)))
  })
}

function overTls(connectTo: string, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(ports[2], "127.0.0.1", () => {
      socket.write(`CONNECT ${connectTo}:${ports[1]} HTTP/1.1\r\nHost: x\r\n\r\n`)
      socket.once("data", () => {
        const inner = tlsConnect({ socket, servername, rejectUnauthorized: false })
        let text = ""
        inner.on("data", (chunk) => (text += chunk))
        inner.on("error", () => undefined)
        inner.on("close", () => resolve(text))
      })
    })
    socket.on("error", () => undefined)
  })
}
