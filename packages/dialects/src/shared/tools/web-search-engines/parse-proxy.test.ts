import { describe, expect, test } from "vitest"
import { webSearchEngines } from "./index.js"

describe("a proxy in the arguments", () => {
  test.each([
    "ftp://127.0.0.1:1",
    "127.0.0.1:8080",
    "http://",
    "socks4://h:1",
    "http://h:1/path",
    "socks5://h:99999",
    "",
  ])("%j is none", (proxy) => {
    expect(webSearchEngines.manifest.input.safeParse({ query: "x", proxy }).success).toBe(false)
  })

  test.each([
    ["http://127.0.0.1:8080", "127.0.0.1", 8080],
    ["http://proxy.example", "proxy.example", 80],
    ["socks5://me:word@0x7f.1", "127.0.0.1", 1080],
    ["SOCKS5://proxy.example:80/", "proxy.example", 80],
    ["socks5://[::1]:1080", "[::1]", 1080],
  ])("%s is a destination that is judged", (proxy, host, port) => {
    const input = webSearchEngines.manifest.input.parse({ query: "x", proxy })
    expect(webSearchEngines.manifest.effects(input)).toEqual([{ kind: "net.fetch", host, port, isProxy: true }])
  })
})
