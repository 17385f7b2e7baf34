import { spawnSync } from "node:child_process"
import { readdirSync, readlinkSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { openTerminal } from "../../../host/src/run/job/start-job-process.js"
import { processesWith } from "../../../host/src/run/process/testing/test-session.js"
import { machineProcesses } from "../testing/machine-traces.js"
import { ensureTestImage } from "../testing/test-image.js"
import { makeTestMachine } from "../testing/test-machine.js"

const missing = await ensureTestImage()
const title = `the process of a machine${missing === undefined ? "" : ` (left out: ${missing})`}`
const { run, remove } = makeTestMachine()
afterAll(remove)

describe.skipIf(missing !== undefined)(title, { timeout: 180_000 }, () => {
  test("has no descriptor but those that it needs, whatever this process has open", async () => {
    // The kernel hands on both ends.
    const terminal = openTerminal()
    let links: readonly string[] = []
    try {
      await run("echo up; sleep 1", {
        onOutput: () => {
          const [machine] = machineProcesses()
          const folder = `/proc/${machine!.pid}/fd`
          links = readdirSync(folder).map((descriptor) => readlinkSync(`${folder}/${descriptor}`))
        },
      })
    } finally {
      terminal.close()
    }
    const needed =
      /^(socket:|pipe:|anon_inode:|\/dev\/null$|\/.*\/(rootfs\.ext4|snapshot-\w+)$|\/.*\/haft-box-\S+ \(deleted\)$)/
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((link) => !needed.test(link))).toEqual([])
  })
  test("does not outlive a Haft that is killed while the sandbox around it is built", async () => {
    const runner = fileURLToPath(new URL("../../../../scripts/run-ts.mjs", import.meta.url))
    const program = fileURLToPath(new URL("../testing/boot-and-die.ts", import.meta.url))
    const memoryMiB = 400 + (process.pid % 100)
    for (const waitMs of [0, 1, 2, 4, 8]) {
      const { signal } = spawnSync(process.execPath, [runner, program, String(waitMs), String(memoryMiB)])
      expect(signal).toBe("SIGKILL")
    }
    const left = () => processesWith(`-m\0${memoryMiB}\0-append`)
    for (let round = 0; round < 100 && left().length > 0; round += 1) await delay(50)
    expect(left()).toEqual([])
  })
})
