import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { fakeDrivers } from "../testing/fake-drivers.js"
import { refusalOf } from "../testing/test-container.js"
import { imageFiles } from "./image.js"
import { installImage } from "./install-image.js"
import { warmImage } from "./warm-image.js"

let imagesFolder: string
beforeEach(async () => {
  imagesFolder = mkdtempSync(join(tmpdir(), "haft-warm-image-"))
  await installImage("debian-12", { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, imageFiles.rootfs), "root")
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers: fakeDrivers }
  })
})
afterEach(() => rmSync(imagesFolder, { recursive: true, force: true }))

test("half a snapshot that a killed process left is removed, and what a living one writes stays", async () => {
  const image = join(imagesFolder, "debian-12")
  const before = readdirSync(image)
  const dead = spawnSync(process.execPath, ["-e", "0"]).pid
  const [left, busy] = [`.aside-${dead}-0123456789abcdef`, `.aside-${process.pid}-0123456789abcdef`] as const
  for (const name of [left, busy]) writeFileSync(join(image, name), "half")
  // There is no QEMU, so nothing more happens.
  await refusalOf(warmImage("debian-12", { imagesFolder, programFolders: [] }))
  expect(readdirSync(image).sort()).toEqual([...before, busy].sort())
})
