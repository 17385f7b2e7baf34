import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { dialectNamed } from "@haft/dialects"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

// Listens and never accepts: once its queue is full, the kernel leaves every further connection without an answer.
const deaf = `
const server = require("net").createServer()
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  require("fs").writeSync(1, server.address().port + "\\n")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

let world: LibraryWorld
let listener: ChildProcess
let waiting: Socket[]
let place: string
beforeEach(async () => {
  world = await libraryWorld()
  listener = spawn(process.execPath, ["-e", deaf], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = (await once(listener.stdout!, "data")) as [Buffer]
  place = `127.0.0.1:${Number(port.toString())}`
  waiting = Array.from({ length: 8 }, () => connect(Number(port.toString()), "127.0.0.1").on("error", () => undefined))
  // The queue takes two of them; on a busy machine it takes a while until they are in it.
  while (waiting.filter((socket) => !socket.connecting).length < 2) await delay(20)
  await delay(300)
  expect(waiting.filter((socket) => socket.connecting).length, "connections without an answer").toBeGreaterThan(0)
})
afterEach(async () => {
  for (const socket of waiting) socket.destroy()
  listener.kill("SIGKILL")
  await world.remove()
})

test("a web tool waits ten seconds for a connection, however long the whole request may take", async () => {
  const haft = await world.haft({
    toolset: "all",
    rules: [{ permission: "*", action: "allow" }],
    network: {
      grants: [place],
      webSearch: { provider: "searxng", endpoints: { searxng: `http://${place}` }, timeoutMs: 60_000 },
    },
  })
  const session = await haft.openSession()
  const url = `http://${place}/`
  const [asyar, a3s] = await Promise.all([dialectNamed("asyar"), dialectNamed("a3s")])
  const timed = async (call: Promise<unknown>) => {
    const began = performance.now()
    const answer = JSON.stringify(await call)
    return { answer, seconds: (performance.now() - began) / 1000 }
  }
  const answers = await Promise.all([
    timed(session.call("web_fetch", { url, timeout: 60 })),
    timed(session.call("http_request", { url, timeout_ms: 60_000 })),
    timed(session.callIn(asyar!, "builtin:web-fetch", { url, timeoutMs: 60_000 })),
    timed(session.callIn(a3s!, "web_fetch", { url, timeout: 60 })),
    timed(session.call("web_search", { query: "x" })),
  ])
  for (const { answer, seconds } of answers) {
    expect(answer).toMatch(/timeout|did not answer|no connection to/)
    expect(seconds, answer).toBeGreaterThan(9.5)
    expect(seconds, answer).toBeLessThan(20)
  }
  for (const { answer } of answers) expect(answer).toContain(`no connection to ${place} within 10000 ms`)
}, 90_000)

test("a shorter time of the request is the shorter one", async () => {
  const haft = await world.haft({ toolset: "all", network: { grants: [place] } })
  const session = await haft.openSession()
  const began = performance.now()
  const envelope = await session.call("http_request", { url: `http://${place}/`, timeout_ms: 500 })
  expect(JSON.stringify(envelope)).toContain("timeout")
  expect(performance.now() - began).toBeLessThan(5_000)
})
