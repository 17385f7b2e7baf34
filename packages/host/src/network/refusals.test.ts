import { subscribe, unsubscribe } from "node:diagnostics_channel"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createCall, createGround, get, type Place } from "./testing/ground.js"

const ground = createGround()
let listener: Place
let dialled: unknown[] = []
const onDial = (message: unknown) => void dialled.push(message)

beforeAll(async () => {
  listener = await ground.web((_request, response) => response.end("reached"), "0.0.0.0")
})
beforeEach(() => {
  dialled = []
  // Node tells this channel about every connection that is begun, to whatever address.
  subscribe("net.client.socket", onDial)
})
afterEach(() => {
  unsubscribe("net.client.socket", onDial)
})
afterAll(() => ground.close())

const literals = [
  "127.0.0.1",
  "127.1",
  "127.0.0.1.",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "１２７.0.0.1",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0.0.0.0",
  "0",
  "0x0",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "168.63.129.16",
  "172.16.0.1",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:a9fe:a9fe]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
]
const localNames = ["localhost", "LOCALHOST", "localhost.", "ｌocalhost", "a.localhost", "a.b.LocalHost."]

describe("[C2-88] what is not public is refused and nothing is sent", () => {
  test.each([...literals, ...localNames])("http://%s", async (host) => {
    // Even a resolver that lies about these names is not believed.
    const network = ground.network({ resolve: async () => ["93.184.216.34"] })
    await expect(get(network, `http://${host}:${listener.port}/`)).rejects.toMatchObject({
      code: "denied",
      message: expect.stringMatching(/^Cannot fetch "http:\/\/.*": .* is not a public address$/),
      hint: expect.not.stringContaining("--"),
      fix: expect.stringContaining("--grant-net "),
    })
    expect(dialled).toEqual([])
    expect(listener.visits()).toBe(0)
  })

  test.each([
    [["127.0.0.1"]],
    [["::1"]],
    [["10.1.2.3"]],
    [["169.254.169.254"]],
    [["::ffff:127.0.0.1"]],
    [["64:ff9b::7f00:1"]],
    [["93.184.216.34", "127.0.0.1"]],
    [["2606:4700::1111", "fd00::1"]],
  ])("a name that leads to %s", async (addresses) => {
    const network = ground.network({ resolve: async () => addresses })
    await expect(get(network, `http://site.example:${listener.port}/`)).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("site.example leads to "),
      fix: `Allow it with --grant-net site.example:${listener.port}`,
    })
    expect(dialled).toEqual([])
  })

  test("[C2-87] a redirect there is refused, and the message tells the way", async () => {
    const start = await ground.web((request, response) => {
      const to = new URL(request.url!, "http://x/").searchParams.get("to")!
      // As UTF-8, which is what servers send that do not escape.
      response.writeHead(302, { location: Buffer.from(to).toString("latin1") }).end()
    })
    const network = ground.network({
      netGrants: [`127.0.0.1:${start.port}`],
      resolve: async () => ["10.0.0.1"],
    })
    for (const to of [
      ...literals.map((host) => `http://${host}:${listener.port}/`),
      `http://localhost:${listener.port}/`,
      `http://site.example:${listener.port}/`,
      `//127.0.0.1:${listener.port}/`,
      `http://127.0.0.1:${start.port}@[::1]:${listener.port}/`,
    ]) {
      const call = createCall()
      const url = `${start.url}/?to=${encodeURIComponent(to)}`
      const error = await network
        .network(call)
        .fetch({ url, timeoutMs: 30_000, maxBytes: 1000 })
        .catch((reason) => reason)
      expect([to, error.code]).toEqual([to, "denied"])
      expect(error.message).toContain(`the way there was ${start.url}/?to=`)
      expect(call.effects).toEqual([{ kind: "net.fetch", host: "127.0.0.1", port: start.port }])
    }
    for (const to of ["file:///etc/passwd", "ftp://site.example/", "data:text/plain,x", "javascript:1"]) {
      await expect(get(network, `${start.url}/?to=${encodeURIComponent(to)}`)).rejects.toMatchObject({
        code: "denied",
        message: expect.stringContaining("only http and https can be fetched"),
      })
    }
    expect(listener.visits()).toBe(0)
  })

  test("the same listener is reached once the user names it", async () => {
    const place = await ground.web((_request, response) => response.end("reached"))
    const network = ground.network({
      netGrants: [`127.0.0.1:${place.port}`, `localhost:${place.port}`, `site.example:${place.port}`],
      resolve: async () => ["127.0.0.1"],
    })
    for (const host of ["127.0.0.1", "2130706433", "localhost", "LOCALHOST.", "site.example"]) {
      const call = createCall()
      const url = `http://${host}:${place.port}/`
      const reply = await network.network(call).fetch({ url, timeoutMs: 30_000, maxBytes: 1000 })
      expect([host, reply.status]).toEqual([host, 200])
      expect(call.effects).toHaveLength(1)
    }
    await expect(get(network, `http://127.0.0.1:${listener.port}/`)).rejects.toMatchObject({ code: "denied" })
    await expect(get(network, `http://[::1]:${place.port}/`)).rejects.toMatchObject({ code: "denied" })
  })

  test("a wildcard does not lift the check of private addresses; the name itself does", async () => {
    const place = await ground.web((_request, response) => response.end("reached"))
    const resolve = async () => ["127.0.0.1"]
    const url = `http://site.example:${place.port}/`
    for (const grants of [[`*.example:${place.port}`], ["*.example"], [`*.example:${place.port}`, "*.site.example"]]) {
      await expect(get(ground.network({ netGrants: grants, resolve }), url)).rejects.toMatchObject({ code: "denied" })
    }
    expect(dialled).toEqual([])
    const named = ground.network({ netGrants: [`site.example:${place.port}`], resolve })
    expect((await get(named, url)).status).toBe(200)
  })

  test("a port of Haft itself cannot be named", async () => {
    const network = ground.network({
      netGrants: [`site.example:${listener.port}`, `127.0.0.1:${listener.port}`, `0.0.0.0:${listener.port}`],
      resolve: async () => ["127.0.0.1"],
      ownPorts: () => [listener.port],
    })
    for (const host of ["site.example", "127.0.0.1", "0.0.0.0"]) {
      await expect(get(network, `http://${host}:${listener.port}/`)).rejects.toMatchObject({ code: "denied" })
    }
    expect(dialled).toEqual([])
  })

  test("[C2-87] what the grant refuses is not even looked up", async () => {
    const asked: string[] = []
    const network = ground.network({
      resolve: async (host) => {
        asked.push(host)
        return []
      },
    })
    const seen: unknown[] = []
    const call = createCall({
      admitsHost(host, port) {
        seen.push([host, port])
        return { allowed: false, reason: "no rule allows it", fix: "Add one" }
      },
    })
    const url = "https://user:secret@Bücher.Example./x?y=1#z"
    const error = await network
      .network(call)
      .fetch({ url, timeoutMs: 1000, maxBytes: 1 })
      .catch((reason) => reason)
    expect(error).toMatchObject({
      code: "denied",
      message: 'Cannot fetch "https://xn--bcher-kva.example/x?y=1": no rule allows it',
      fix: "Add one",
    })
    expect(seen).toEqual([["xn--bcher-kva.example", 443]])
    expect(asked).toEqual([])
    expect(dialled).toEqual([])
  })

  test("no address that is not public is ever dialled, however it is spelled", async () => {
    const network = ground.network({ resolve: async () => [] })
    await fc.assert(
      fc.asyncProperty(
        innerHost,
        fc.constantFrom("http", "https"),
        fc.option(fc.webPath()),
        async (host, scheme, path) => {
          const error = await get(network, `${scheme}://${host}${path ?? ""}`).catch((reason) => reason)
          expect([host, error.code]).toEqual([host, "denied"])
        },
      ),
      { numRuns: 300 },
    )
    expect(dialled).toEqual([])
  })

  test("no text at all leads to a connection when no name has an address", async () => {
    const network = ground.network({ resolve: async () => [] })
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.webUrl(),
      fc.tuple(fc.constantFrom("http:", "https://", "http:\\\\", "HTTP:/"), fc.string()).map((parts) => parts.join("")),
    )
    await fc.assert(
      fc.asyncProperty(text, async (url) => {
        // A public address in disguise, such as http://3232 or http://0x08080808, would really be dialled.
        fc.pre(!(URL.canParse(url) && /^[\d.]+$|^\[/.test(new URL(url).hostname)))
        const error = await get(network, url).catch((reason) => reason)
        expect(["invalid_args", "denied", "unavailable"]).toContain(error.code)
      }),
      { numRuns: 300 },
    )
    expect(dialled).toEqual([])
  })
})

const byte = fc.integer({ min: 0, max: 255 })
const innerIPv4 = fc
  .tuple(
    fc.constantFrom([0], [10], [127], [169, 254], [192, 168], [172, 16], [172, 31], [100, 64], [198, 18], [224], [255]),
    fc.tuple(byte, byte, byte),
  )
  .map(([head, tail]) => [...head, ...tail].slice(0, 4))

/** An address of an inner range in one of the spellings that the address parser understands. */
const innerIPv4Spelled = fc
  .tuple(
    innerIPv4,
    fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([bytes, bases, count]) => {
    const last = bytes.slice(count - 1).reduce((sum, each) => sum * 256 + each, 0)
    return [...bytes.slice(0, count - 1), last].map((value, index) => inBase(value, bases[index]!)).join(".")
  })

function inBase(value: number, base: number): string {
  if (base === 10) return String(value)
  return base === 16 ? `0x${value.toString(16)}` : `0${value.toString(8)}`
}

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const innerIPv6 = fc.oneof(
  innerIPv4.map((bytes) => `[::ffff:${bytes.join(".")}]`),
  innerIPv4.map((bytes) => `[64:ff9b::${bytes.join(".")}]`),
  innerIPv4.map((bytes) => `[::${bytes.join(".")}]`),
  fc
    .tuple(fc.constantFrom("fc00", "fdff", "fe80", "febf", "fec0", "ff02", "2002", "2001:0", "2001:db8", "100"), group)
    .map(([head, tail]) => `[${head}::${tail}]`),
)

const innerHost = fc
  .tuple(
    fc.option(fc.constantFrom("user@", "93.184.216.34@", "a:b@", "example.org%40@"), { nil: "" }),
    fc.oneof(
      innerIPv4Spelled,
      innerIPv4Spelled.map((host) => `${host}.`),
      innerIPv6,
    ),
    fc.option(
      fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
      { nil: "" },
    ),
  )
  .map((parts) => parts.join(""))
