import { closeSync } from "node:fs"
import { createRequire } from "node:module"
import { afterAll, describe, expect, test } from "vitest"
import { backendsHere } from "../../sandbox/testing/installed.js"
import { makeSandboxBench } from "../../sandbox/testing/sandbox-bench.js"
import { openTerminal } from "../job/start-job-process.js"
import { runProcess } from "./run-process.js"

const { requireBinary } = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js")

describe.skipIf(process.platform !== "linux")("descriptors that nobody gave to a command", () => {
  // The kernel hands on both ends, as it does with what this process got from its parent.
  const { master, slave } = requireBinary("pty.node").open(80, 24)
  afterAll(() => {
    for (const descriptor of [master, slave]) closeSync(descriptor)
  })

  const look = async (options: Parameters<typeof makeSandboxBench>[0]) => {
    const ground = await makeSandboxBench(options)
    const sandbox = await ground.prepare()
    const argv = ["/bin/bash", "-c", "readlink /proc/$$/fd/*"]
    const sidecar = { folder: ground.base, name: "look" }
    const { signal } = new AbortController()
    const { stdout } = await runProcess({
      ...{ sandbox, tag: "strangers", argv, timeoutMs: 30_000, keepBytes: 10_000, sidecar, signal },
    })
    await sandbox.release()
    await ground.close()
    return stdout.text.split("\n").filter((line) => !/^$|^\/dev\/null$|^(socket|pipe):/.test(line))
  }

  test.each([...backendsHere, "none"] as const)("are not there: %s", async (backend) => {
    const options = backend === "none" ? { policy: "off" as const } : { backend }
    expect(await look(options)).toEqual([])
    const terminal = openTerminal()
    expect(await look(options)).toEqual([])
    terminal.close()
  })
})
