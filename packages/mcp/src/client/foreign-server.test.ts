import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type RunningServer, type ServerRequest, ToolError } from "@haft/contract"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { launchOf, type Pin, pinDigest } from "./entry/pin.js"
import { readEntry } from "./entry/server-entry.js"
import { ForeignServer, type ServerCall } from "./foreign-server.js"

const entry = readEntry("fake", { command: "node" })
const launch = launchOf(entry)
const pin: Pin = {
  ...{ name: "fake", launch, digest: pinDigest(launch, []), tools: [], era: "legacy" },
  ...{ resources: false, prompts: false, hosts: [], at: 0 },
}
const surroundings = {
  ...{ variables: {}, signIns: { load: async () => undefined, save: async () => undefined }, roots: [] },
  onTools: () => undefined,
}
const { signal } = new AbortController()

function callWith(start: (request: ServerRequest) => Promise<RunningServer>): ServerCall {
  const servers = { find: async () => undefined, dataFolder: async () => "/data", start }
  return { signal, conversation: { hasPerson: false }, emit: () => undefined, servers } as unknown as ServerCall
}

test("[C2-154] a lost server is tried again after 1, 2, 5, 15 and 60 seconds, and by no call in between", async () => {
  const seconds: number[] = []
  let next: () => void = () => undefined
  const server = new ForeignServer(entry, pin, {
    ...surroundings,
    later: (ms, work) => {
      seconds.push(ms / 1000)
      next = work
      return () => undefined
    },
  })
  const start = vi.fn(() => Promise.reject(new ToolError("unavailable", "the disk is full")))
  const call = callWith(start)
  const use = () => server.use(call, async () => "connected")
  await expect(use()).rejects.toThrow("the disk is full")
  for (let tries = 1; tries <= 10; tries += 1) {
    expect(seconds).toHaveLength(tries)
    await expect(use()).rejects.toThrow("it is not connected, because the disk is full; it is tried again by itself")
    expect(start).toHaveBeenCalledTimes(tries)
    next()
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(tries + 1))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(seconds).toEqual([1, 2, 5, 15, 60, 60, 60, 60, 60, 60])
  // Nobody asked for it in all this time; who does now begins anew.
  await expect(use()).rejects.toThrow("it is not connected")
  expect(seconds.slice(10)).toEqual([0])
  await server.close()
})

describe("a server that falls over as soon as it is connected", () => {
  const script = fileURLToPath(new URL("../../../haft/test/mcp-servers/fake-server.mjs", import.meta.url))
  const isolation: RunningServer["isolation"] = {
    ...{ level: "none", backend: "none", profile: "none", network: "host" },
    ...{ limits: { enforcedBy: "none" }, notes: [] },
  }
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "haft-falling-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A server whose program really runs, on a clock that stands still until it is moved. */
  function falling(end: (child: ChildProcess) => Promise<void> = async (child) => void child.kill()) {
    const waiting = new Set<{ readonly seconds: number; readonly work: () => void }>()
    let child: ChildProcess
    let starts = 0
    const call = callWith(async () => {
      starts += 1
      child = spawn(process.execPath, [script, "ok"], { cwd: folder })
      const started = child
      return {
        ...{ isolation, output: started.stdout!, errors: () => "", end: () => end(started) },
        write: async (bytes: Uint8Array) => void started.stdin!.write(bytes),
        gone: new Promise((resolve) => started.once("exit", () => resolve(new ToolError("backend", "it fell over")))),
      }
    })
    let connections = 0
    const server = new ForeignServer(entry, pin, {
      ...surroundings,
      onTools: () => {
        connections += 1
      },
      later: (ms, work) => {
        const one = { seconds: ms / 1000, work }
        waiting.add(one)
        return () => void waiting.delete(one)
      },
    })
    return {
      use: (work: () => Promise<void> = async () => undefined) => server.use(call, work),
      close: () => server.close(),
      starts: () => starts,
      connected: (count: number) => vi.waitFor(() => expect(connections).toBe(count), 10_000),
      waits: () => [...waiting].map(({ seconds }) => seconds),
      /** Ends the program, and tells after how many seconds it is tried again. */
      async fall(): Promise<readonly number[]> {
        child.kill("SIGKILL")
        await vi.waitFor(() => expect(child.signalCode).toBe("SIGKILL"), 10_000)
        await new Promise((resolve) => setImmediate(resolve))
        return this.waits()
      },
      pass() {
        const [next] = waiting
        waiting.delete(next!)
        next!.work()
      },
    }
  }

  const fails = () => Promise.reject(new ToolError("backend", "it fell over"))

  test("is tried again ever more rarely, and after ten times only when somebody asks for it", async () => {
    const server = falling()
    await expect(server.use(fails)).rejects.toThrow("it fell over")
    const waits: number[] = []
    for (let tries = 1; tries <= 10; tries += 1) {
      await server.connected(tries)
      waits.push(...(await server.fall()))
      server.pass()
    }
    expect(waits).toEqual([1, 2, 5, 15, 60, 60, 60, 60, 60, 60])
    await server.connected(11)
    expect(await server.fall()).toEqual([])
    expect(server.starts()).toBe(11)
    await expect(server.use()).rejects.toThrow("it is not connected")
    expect(server.waits()).toEqual([0])
    await server.close()
  })

  test.each([
    ["a call succeeded", (server: ReturnType<typeof falling>) => server.use()],
    ["it served for a minute", async (server: ReturnType<typeof falling>) => server.pass()],
  ])("is tried again after one second when %s", async (_, good) => {
    const server = falling()
    await expect(server.use(fails)).rejects.toThrow("it fell over")
    expect(await server.fall()).toEqual([1])
    server.pass()
    await server.connected(2)
    expect(server.waits()).toEqual([60])
    await good(server)
    expect(await server.fall()).toEqual([1])
    await server.close()
  })

  test("is tried again also when what is left of it cannot be ended", async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    const server = falling(() => Promise.reject(new Error("it cannot be ended")))
    await expect(server.use(fails)).rejects.toThrow("it fell over")
    expect(await server.fall()).toEqual([1])
    await new Promise((resolve) => setTimeout(resolve, 100))
    process.off("unhandledRejection", note)
    expect(unhandled).toEqual([])
    await server.close()
  })
})
