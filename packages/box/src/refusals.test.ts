import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BoxRequest, type CallScope, ToolError } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { probeBox } from "./backend/choose-backend.js"
import type { BoxOptions } from "./box-options.js"
import { createBox } from "./create-box.js"
import { imageFiles } from "./image/image.js"
import { installImage } from "./image/install-image.js"
import { warmImage } from "./image/warm-image.js"
import { boxCrashed } from "./refusal.js"
import { fakeDrivers } from "./testing/fake-drivers.js"

let imagesFolder: string
beforeEach(async () => {
  imagesFolder = mkdtempSync(join(tmpdir(), "haft-box-refusals-"))
  await installImage("debian-12", { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, imageFiles.rootfs), "root")
    return { os: "debian 12", kernel: Buffer.from("kernel"), drivers: fakeDrivers }
  })
})
afterEach(() => rmSync(imagesFolder, { recursive: true, force: true }))

const request: BoxRequest = {
  command: "true",
  image: "debian-12",
  timeoutMs: 1_000,
  files: {},
  keepBytes: 1_000,
  signal: new AbortController().signal,
}

async function refused(
  changes: Partial<BoxRequest>,
  options: Partial<BoxOptions> = {},
  asked: BoxRequest = request,
): Promise<ToolError> {
  // Without programs, so that nothing could start even by mistake.
  const box = createBox(
    { imagesFolder, programFolders: [], ...options },
    { outputFolder: imagesFolder },
  )({} as CallScope)
  const error = await box.run({ ...asked, ...changes }).catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

test("[C2-92] without QEMU a box is refused, and nothing weaker is used", async () => {
  const { code, details } = await refused({})
  expect(code).toBe("not_configured")
  expect(details).toMatchObject({
    ok: false,
    reason: "BOX_ISOLATION_UNAVAILABLE",
    asked: "vm",
    best_available: "none",
    ran: false,
    fix: [
      expect.stringContaining("qemu-system-x86"),
      "haft box image build debian-12",
      "haft box image warm debian-12",
    ],
  })
  expect((details as { probes: unknown[] }).probes).toEqual(
    expect.arrayContaining([
      { backend: "qemu-kvm", ok: false, why: "qemu-system-x86_64 not found" },
      { backend: "qemu-tcg", ok: false, why: "qemu-system-x86_64 not found" },
    ]),
  )
  expect((details as { fix: readonly string[] }).fix.join()).toContain("apt-get install")
})

test("the image is looked at before anything else", async () => {
  const wrong = { image: "ubuntu-22.04", timeoutMs: -1, files: { "../x": "" } }
  expect((await refused(wrong)).details).toEqual({
    ok: false,
    reason: "BOX_IMAGE_MISSING",
    image: "ubuntu-22.04",
    installed: ["debian-12"],
    ran: false,
  })
})

test("a call that names no image gets the default one, and the operator may choose it", async () => {
  const { image: _, ...unnamed } = request
  expect((await refused({}, {}, unnamed)).details).toMatchObject({ reason: "BOX_IMAGE_MISSING", image: "ubuntu-22.04" })
  const chosen = await refused({}, { defaultImage: "debian-12" }, unnamed)
  expect(chosen.details).toMatchObject({ reason: "BOX_ISOLATION_UNAVAILABLE" })
})

test("bad files and bad time limits are refused before anything is tried", async () => {
  expect((await refused({ files: { "../x": "" } })).details).toMatchObject({ reason: "BOX_FILES_REFUSED", ran: false })
  for (const timeoutMs of [0, -1, 1.5, Number.NaN, 600_001]) {
    const { code, details } = await refused({ timeoutMs })
    expect({ code, details }).toMatchObject({ code: "invalid_args", details: { reason: "BOX_TIMEOUT_REFUSED" } })
  }
})

test.each([
  ["none", "it must be one of vm, vm-emulated, container"],
  ["gvisor", "it was removed, because it never ran an image; it must be one of vm, vm-emulated, container"],
  ["namespace", "it was removed, because it isolates less than bash; it must be one of vm, vm-emulated, container"],
  ["constructor", "it must be one of vm, vm-emulated, container"],
])("the isolation %s is an error of the configuration", async (minIsolation, why) => {
  const { code, message } = await refused({}, { minIsolation: minIsolation as never })
  expect({ code, message }).toEqual({
    code: "not_configured",
    message: `Cannot use "${minIsolation}" for box.minIsolation: ${why}`,
  })
})

test("a machine that ended without an exit code is never a result", () => {
  const { code, details } = boxCrashed("the machine ended without an exit code", { words: "qemu: broken", ran: true })
  expect({ code, details }).toMatchObject({ code: "backend", details: { ok: false, reason: "BOX_CRASHED", ran: true } })
})

test("warming without QEMU is refused with the same words", async () => {
  const error = await warmImage("debian-12", { imagesFolder, programFolders: [] }).catch((thrown: unknown) => thrown)
  expect((error as ToolError).details).toMatchObject({ reason: "BOX_ISOLATION_UNAVAILABLE" })
})

test("the probes say why where there is no image to try them with", async () => {
  rmSync(join(imagesFolder, "debian-12"), { recursive: true })
  for (const probe of await probeBox({ imagesFolder })) {
    expect(probe).toMatchObject({ ok: false, why: expect.stringContaining("haft box image build") })
  }
  expect(readdirSync(imagesFolder)).toEqual([])
})

test("backends are tried with an image that can be used, and without one each says what to do", async () => {
  writeFileSync(join(imagesFolder, "debian-12", imageFiles.rootfs), "changed")
  const whys = async () => (await probeBox({ imagesFolder, programFolders: [] })).map(({ ok, why }) => ok || why)
  for (const why of await whys()) {
    expect(why).toContain('"rootfs.ext4" is not what was built; Build it again with: haft box image build debian-12')
  }
  await installImage("other", { imagesFolder }, async (folder) => {
    writeFileSync(join(folder, imageFiles.rootfs), "root")
    return { os: "other", kernel: Buffer.from("kernel"), drivers: fakeDrivers }
  })
  for (const why of await whys()) expect(why).toMatch(/^\S+ not found$/)
})
