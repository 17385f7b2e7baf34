import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import type { CallScope, ObservedEffect } from "@haft/contract"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createBox } from "./create-box.js"
import { machineTraces } from "./testing/machine-traces.js"
import { ensureTestImage, testImage, testImagesFolder } from "./testing/test-image.js"
import { makeTestMachine, patientDeadlines } from "./testing/test-machine.js"

const missing = await ensureTestImage()
const title = `a machine with granted hosts${missing === undefined ? "" : ` (left out: ${missing})`}`
const minute = 60_000

const { outputFolder, remove } = makeTestMachine()
afterAll(remove)

let server: Server
let other: Server
let asked: string[]
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    asked.push(`${request.method} ${request.url}`)
    if (request.url === "/large") return void response.end(large)
    response.end(`hello ${body.length} ${createHash("sha256").update(body).digest("hex").slice(0, 8)}\n`)
  }).listen(0, "127.0.0.1")
  other = createServer((_, response) => {
    asked.push("other")
    response.end("never\n")
  }).listen(0, "127.0.0.1")
  await Promise.all([once(server, "listening"), once(other, "listening")])
})
afterAll(() => {
  server.close()
  other.close()
})
beforeEach(() => {
  asked = []
})

const placeOf = (each: Server) => `127.0.0.1:${(each.address() as AddressInfo).port}`
const large = randomBytes(3 * 1024 * 1024)
const digest = createHash("sha256").update(large).digest("hex")

/** Runs a command that may reach these destinations. */
async function run(command: string, netGrants: readonly string[]) {
  const effects: ObservedEffect[] = []
  const call = { callId: "call", observe: (effect: ObservedEffect) => void effects.push(effect) } as CallScope
  const settings = { imagesFolder: testImagesFolder, deadlines: patientDeadlines, netGrants }
  const request = { command, image: testImage, timeoutMs: 2 * minute, files: {}, keepBytes: 100_000 }
  const box = createBox(settings, { outputFolder })(call)
  const { stdout, stderr, exitCode, isolation } = await box.run({ ...request, signal: new AbortController().signal })
  return { stdout: stdout.text, stderr: stderr.text, exitCode, network: isolation.network, effects }
}

// The image has no program for HTTP; bash opens sockets itself, at the address that the variable names.
const through = (words: string) =>
  `place=\${HTTP_PROXY#http://}; exec 3<>/dev/tcp/\${place%:*}/\${place#*:}; printf '${words}' >&3; cat <&3`
const get = (place: string, path = "/") => through(`GET http://${place}${path} HTTP/1.0\\r\\n\\r\\n`)

describe.skipIf(missing !== undefined)(title, { timeout: 4 * minute }, () => {
  afterEach(() => expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] }))

  test("reaches a granted host, and what it reached is recorded", async () => {
    const { stdout, exitCode, network, effects } = await run(get(placeOf(server), "/page"), [placeOf(server)])
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nhello 0 /)
    expect([exitCode, network, asked]).toEqual([0, "proxy", ["GET /page"]])
    const [host, port] = placeOf(server).split(":")
    expect(effects).toEqual([{ kind: "net.fetch", host, port: Number(port) }])
  })

  test("reaches no other: the proxy refuses with a reason, and there is no other way out", async () => {
    const refused = await run(get(placeOf(other)), [placeOf(server)])
    expect(refused.stdout).toMatch(/^HTTP\/1\.1 403 /)
    expect(refused.effects).toEqual([expect.objectContaining({ kind: "net.fetch", refused: expect.any(String) })])
    const place = placeOf(other).replace(":", "/")
    const direct = await run(`ls /sys/class/net; (exec 3<>/dev/tcp/${place}) 2>&1 || echo unreachable`, [
      placeOf(server),
    ])
    expect(direct.stdout.split("\n")[0]).toBe("lo")
    expect(direct.stdout).toContain("unreachable")
    expect(asked).toEqual([])
  })

  test("carries megabytes both ways through the window, and half-closed connections", async () => {
    const received = await run(`${get(placeOf(server), "/large")} | tail -c ${large.length} | sha256sum`, [
      placeOf(server),
    ])
    expect(received.stdout).toBe(`${digest}  -\n`)
    const sink = createTcpServer({ allowHalfOpen: true }, (socket) => {
      const hash = createHash("sha256")
      socket.on("data", (piece) => hash.update(piece))
      socket.on("end", () => socket.end(`got ${hash.digest("hex")}\n`))
    }).listen(0, "127.0.0.1")
    await once(sink, "listening")
    const port = (sink.address() as AddressInfo).port
    const perl = [
      'socket(my $s, 2, 1, 0); connect($s, pack("S n C4 x8", 2, 3128, 127, 0, 0, 1)) or die;',
      `syswrite($s, "CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n");`,
      'my $head = ""; while ($head !~ /\\r\\n\\r\\n/) { sysread($s, $head, 1, length $head) or die }',
      'print $s "x" x 2000000; $s->flush; shutdown($s, 1); print <$s>;',
    ].join(" ")
    const sent = await run(`perl -MIO::Handle -e '${perl}'`, [`127.0.0.1:${port}`])
    sink.close()
    expect([sent.stdout, sent.stderr]).toEqual([
      `got ${createHash("sha256").update("x".repeat(2_000_000)).digest("hex")}\n`,
      "",
    ])
  })

  test("several connections at once do not mix", async () => {
    const each = (index: number) => `( ${get(placeOf(server), `/${index}`)} | tail -n 1 | sed s/^/${index}:/ ) &`
    const { stdout } = await run(`${Array.from({ length: 8 }, (_, index) => each(index)).join("\n")}\nwait`, [
      placeOf(server),
    ])
    const lines = stdout.trim().split("\n").sort()
    expect(lines).toEqual(Array.from({ length: 8 }, (_, index) => `${index}:hello 0 e3b0c442`))
    expect(asked.sort()).toEqual(Array.from({ length: 8 }, (_, index) => `GET /${index}`))
  })

  test("without a grant there is no network, no variable and no relay", async () => {
    const { stdout, network } = await run("env | grep -ic proxy; (exec 3<>/dev/tcp/127.0.0.1/3128) 2>&1", [])
    expect(stdout).toMatch(/^0\n[\s\S]*Connection refused/)
    expect(network).toBe("none")
  })

  test("the command cannot end the relay or speak in its place", async () => {
    const kill =
      "for pid in $(seq 1 2000); do if [ $pid != $$ ] && kill -9 $pid 2>/dev/null; then echo killed; fi; done"
    const { stdout } = await run(`ls /dev; ${kill}; ${get(placeOf(server))} | head -1`, [placeOf(server)])
    expect(stdout).not.toMatch(/vport|killed/)
    expect(stdout).toContain("HTTP/1.1 200 OK")
  })
})
