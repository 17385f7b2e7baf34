import { execFileSync } from "node:child_process"
import { mkdtempSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openImage } from "../image/open-image.js"
import { machineTraces } from "../testing/machine-traces.js"
import { refusalOf } from "../testing/test-container.js"
import { ensureTestImage, testImage, testImagesFolder } from "../testing/test-image.js"
import { bootMachine } from "./boot-machine.js"
import type { MachinePrograms } from "./confine-machine.js"
import { waitReady } from "./control-reader.js"
import { findMachinePrograms, systemProgramFolders } from "./machine-host.js"
import { openSnapshotPort } from "./save-snapshot.js"

const minute = 60_000
const missing = process.getuid?.() === 0 ? await ensureTestImage() : "mounting a small disk needs root"
const title = `a snapshot that does not fit on its disk${missing === undefined ? "" : ` (left out: ${missing})`}`

describe.skipIf(missing !== undefined)(title, { timeout: 3 * minute }, () => {
  let small: string
  beforeEach(() => {
    small = mkdtempSync(join(tmpdir(), "haft-small-disk-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "none", small])
  })
  afterEach(() => {
    execFileSync("umount", [small])
    rmdirSync(small)
  })

  test("is a failure that names the disk, and nothing of the machine stays", async () => {
    const image = await openImage(testImagesFolder, testImage)
    const programs = findMachinePrograms(systemProgramFolders) as MachinePrograms
    const port = await openSnapshotPort()
    const shape = { programs, accelerator: "tcg", memoryMiB: 512, image, disk: new Uint8Array() } as const
    const machine = await bootMachine({ ...shape, snapshotFolder: port.folder })
    expect(await waitReady(machine, { deadlineMs: minute })).toBeUndefined()
    const { code, message } = await refusalOf(port.save(machine, join(small, "snapshot"), minute))
    await machine.end()
    await port.close()
    expect({ code, message }).toEqual({
      code: "backend",
      message: `Cannot save the snapshot in "${small}": no space is left on the device`,
    })
    expect(machineTraces()).toEqual({ processes: [], files: [], groups: [] })
  })
})
