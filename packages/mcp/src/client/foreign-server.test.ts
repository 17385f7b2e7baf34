import { ToolError } from "@haft/contract"
import { expect, test, vi } from "vitest"
import { launchOf, type Pin, pinDigest } from "./entry/pin.js"
import { readEntry } from "./entry/server-entry.js"
import { ForeignServer, type ServerCall } from "./foreign-server.js"

test("[C2-154] a lost server is tried again after 1, 2, 5, 15 and 60 seconds, and by no call in between", async () => {
  const entry = readEntry("fake", { command: "node" })
  const launch = launchOf(entry)
  const pin: Pin = {
    ...{ name: "fake", launch, digest: pinDigest(launch, []), tools: [], era: "legacy" },
    ...{ resources: false, prompts: false, hosts: [], at: 0 },
  }
  const seconds: number[] = []
  let next: () => void = () => undefined
  const server = new ForeignServer(entry, pin, {
    ...{ variables: {}, signIns: { load: async () => undefined, save: async () => undefined }, roots: [] },
    onTools: () => undefined,
    later: (ms, work) => {
      seconds.push(ms / 1000)
      next = work
      return () => undefined
    },
  })
  const start = vi.fn(() => Promise.reject(new ToolError("unavailable", "the disk is full")))
  const servers = { find: async () => undefined, dataFolder: async () => "/data", start }
  const { signal } = new AbortController()
  const call = { signal, conversation: { hasPerson: false }, emit: () => undefined, servers } as unknown as ServerCall
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
