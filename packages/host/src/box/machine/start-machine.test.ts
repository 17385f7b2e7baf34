import { readdirSync, readlinkSync } from "node:fs"
import { afterAll, describe, expect, test } from "vitest"
import { openTerminal } from "../../jobs/open-terminal.js"
import { ensureTestImage } from "../testing/box-ground.js"
import { makeMachineGround } from "../testing/machine-ground.js"
import { machineProcesses } from "../testing/machine-traces.js"

const missing = await ensureTestImage()
const title = `the process of a machine${missing === undefined ? "" : ` (left out: ${missing})`}`
const { run, remove } = makeMachineGround()
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
})
