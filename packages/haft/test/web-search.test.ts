import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { dialectNamed } from "@haft/dialects"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type SearchServer, startSearchServer } from "../../tools/test/search-server.js"
import type { HaftOptions } from "../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { workbench } from "./workbench.js"

let world: LibraryWorld
let provider: SearchServer
let lure: Server
let redirector: Server
let lured = 0
beforeEach(async () => {
  lured = 0
  world = await libraryWorld()
  provider = await startSearchServer()
  lure = createServer((_, response) => {
    lured += 1
    response.setHeader("content-type", "application/json").end('{"results":[]}')
  }).listen(0, "127.0.0.1")
  redirector = createServer((_, response) => {
    response.writeHead(302, { location: `http://${placeOf(lure)}/search?format=json` }).end()
  }).listen(0, "127.0.0.1")
  await Promise.all([once(lure, "listening"), once(redirector, "listening")])
})
afterEach(async () => {
  await world.remove()
  await provider.close()
  lure.close()
  redirector.close()
})

const placeOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`
// The lure is granted too, and every rule allows: only what the tool declares is left to refuse it.
const open = async (webSearch: NonNullable<HaftOptions["network"]>["webSearch"] = {}) => {
  const grants = [provider.host, placeOf(lure), placeOf(redirector)]
  const rules = [{ permission: "*", action: "allow" }] as const
  const haft = await world.haft({ toolset: "all", rules, network: { grants, webSearch } })
  return haft.openSession()
}

describe("web_search declares the hosts of the configured provider", () => {
  test("the endpoint of the configuration is the one host that it asks", async () => {
    const session = await open({ provider: "searxng", endpoints: { searxng: provider.endpoints.searxng } })
    expect((await session.explain("web_search", { query: "x" })).hosts).toEqual([provider.host])
    expect(await session.call("web_search", { query: "x" })).toMatchObject({ type: "output" })
    expect(provider.requests.map((request) => request.provider)).toEqual(["searxng"])
  })

  test("a redirect to another host is refused before anything is sent there", async () => {
    const session = await open({ provider: "searxng", endpoints: { searxng: `http://${placeOf(redirector)}` } })
    const envelope = await session.call("web_search", { query: "x" })
    expect(envelope).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("is outside what this tool can reach"),
      metadata: { error_code: "denied" },
    })
    expect(lured).toBe(0)
  })

  test("without a provider they are those that the session may choose, with their ports", async () => {
    const hosts = async (webSearch?: Parameters<typeof open>[0]) =>
      (await (await open(webSearch)).explain("web_search", { query: "x" })).hosts
    expect(await hosts()).toEqual(["html.duckduckgo.com:443", "en.wikipedia.org:443"])
    expect(await hosts({ keys: { brave: "k" } })).toEqual([
      ...["html.duckduckgo.com:443", "en.wikipedia.org:443", "api.search.brave.com:443"],
    ])
    expect(await hosts({ provider: "so360" })).toEqual(["www.so.com:443", "qcaptcha.so.com"])
    expect(await hosts({ provider: "wiki", endpoints: { wiki: "http://wiki.example/w" } })).toEqual(["wiki.example:80"])
  })

  test.each([
    [{ provider: "searxng" }, "no address is configured for it"],
    [{ provider: "tavily" }, "no key is configured for it"],
    [{ provider: "searxng", endpoints: { searxng: "file:///etc/passwd" } }, "is no http or https address"],
  ])("what cannot be asked says what is missing: %j", async (webSearch, words) => {
    const session = await open(webSearch)
    const envelope = await session.call("web_search", { query: "x" })
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "not_configured" } })
    expect((envelope as { error_text: string }).error_text).toContain(words)
  })

  test("the manifest of an agent may name the same variable, and no other", async () => {
    const opened = (host: string) =>
      world.haft({ guard: { manifest: { requires: { net: { hosts: [host] } } } } }).then((haft) => haft.openSession())
    await opened("{web-search}")
    await expect(opened("{web-serch}")).rejects.toThrow(
      "there is no variable {web-serch}; write one of {web-search}, {search-engines}",
    )
  })
})

describe("the same tool of another system", () => {
  const calls = [
    ["a3s", "web_search", { query: "x", engines: ["searxng"] }, "searxng"],
    ["claw", "WebSearch", { query: "xy" }, "ddg"],
    ["lobe", "lobe-web-browsing____search", { query: "x", searchEngines: ["wikipedia"] }, "wiki"],
  ] as const

  test.each(calls)("%s: asks the configured address and goes nowhere else", async (name, tool, input, engine) => {
    const dialect = (await dialectNamed(name))!
    const asked = await open({ endpoints: provider.endpoints })
    const { hosts } = await asked.explain(tool, input, { dialect })
    expect(hosts).toContain(provider.host)
    expect((await asked.callIn(dialect, tool, input)).projection.success).toBe(true)
    expect(provider.requests.map((request) => request.provider)).toEqual([engine])
    const led = await open({ endpoints: { [engine]: `http://${placeOf(redirector)}` } })
    const { projection } = await led.callIn(dialect, tool, input)
    expect(JSON.stringify(projection)).toContain("is outside what this tool can reach")
    expect([projection.success, lured]).toEqual([false, 0])
  })

  test("a3s: a proxy of the arguments is judged by grant and rules, and only hosts of engines are behind it", async () => {
    const a3s = (await dialectNamed("a3s"))!
    const through = async (more: HaftOptions) => {
      const haft = await world.haft({ toolset: "all", ...more })
      const session = await haft.openSession()
      const input = { query: "x", engines: ["wiki"], proxy: `http://${placeOf(lure)}` }
      return JSON.stringify((await session.callIn(a3s, "web_search", input, { answer: "once" })).projection)
    }
    const rules = [{ permission: "*", action: "allow" }] as const
    const endpoints = { wiki: "http://wiki.example" }
    await through({ rules, network: { grants: [placeOf(lure)], webSearch: { endpoints } } })
    expect(lured).toBe(1)
    expect(await through({ rules, network: { webSearch: { endpoints } } })).toMatch(/not a public address|loopback/)
    const grant = { net: { hosts: ["wiki.example"] } }
    const network = { grants: [placeOf(lure)], webSearch: { endpoints } }
    expect(await through({ rules, network, guard: { grant } })).toContain("outside what this session was granted")
    expect(lured).toBe(1)
  })
})

test("the command line shows the hosts as the configuration fills them in", async () => {
  const bench = workbench()
  try {
    const hosts = async () => {
      const { stdout } = await bench.run(["tools", "web_search", "--json"])
      return (JSON.parse(stdout) as { requires: object }[])[0]!.requires
    }
    expect(await hosts()).toEqual({ net: { hosts: ["html.duckduckgo.com:443", "en.wikipedia.org:443"] } })
    const webSearch = { provider: "searxng", endpoints: { searxng: "http://search.example:8080/x" } }
    mkdirSync(bench.config, { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.config, "config.jsonc"), JSON.stringify({ webSearch }), { mode: 0o600 })
    expect(await hosts()).toEqual({ net: { hosts: ["search.example:8080"] } })
    const { stdout } = await bench.run(["explain", "web_search", "query=x"])
    expect(stdout).toContain("\nAsks: search.example:8080\n")
    const page = await bench.run(["tools", "web_search"])
    expect(page.stdout).toContain('{"net":{"hosts":["search.example:8080"]}}')
  } finally {
    bench.remove()
  }
})
