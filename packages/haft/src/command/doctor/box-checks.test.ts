import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { boxImagesFolder } from "../../../../box/src/box-options.js"
import { ensureTestImage, testImage, testImagesFolder } from "../../../../box/src/testing/test-image.js"
import { findPlaces } from "../../config/places.js"
import { managedFile } from "../io.js"
import { boxChecks } from "./box-checks.js"
import type { Check } from "./check.js"

const missing = await ensureTestImage()
if (missing !== undefined) console.warn(`skipped: no image to try boxes with (${missing})`)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-box-checks-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function checks(): Promise<ReadonlyMap<string, Check>> {
  const env = { HOME: folder, HAFT_HOME: join(folder, "state") }
  const found = await boxChecks({ env, places: findPlaces(env, folder, managedFile), roots: [folder] })
  return new Map(found.map((check) => [check.name, check]))
}

test("without an image it is said how to get one", async () => {
  expect((await checks()).get("box images")).toMatchObject({ state: "warn", fix: "run haft box image build debian-12" })
})

test.skipIf(missing !== undefined)(
  "each backend has a row with what using it showed",
  { timeout: 180_000 },
  async () => {
    const images = boxImagesFolder(join(folder, "state"))
    mkdirSync(images, { recursive: true })
    symlinkSync(join(testImagesFolder, testImage), join(images, testImage))
    const rows = await checks()
    expect(rows.get("box images")).toMatchObject({ state: "ok", found: testImage })
    for (const backend of ["qemu-kvm", "qemu-tcg", "podman"]) {
      const { state, found } = rows.get(`box ${backend}`)!
      if (state === "ok") expect(found).toMatch(/^isolates as "\S+"$/)
      else expect({ state, found }).toEqual({ state: "none", found: expect.stringMatching(/\S/) })
    }
    const machines = ["box qemu-kvm", "box qemu-tcg"].filter((name) => rows.get(name)?.state === "ok")
    expect(rows.get("box")?.state).toBe(machines.length > 0 ? "ok" : "warn")
  },
)
