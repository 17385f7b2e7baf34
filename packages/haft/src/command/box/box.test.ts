import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { ToolError } from "@haft/contract"
import { sayEnglish } from "@haft/language"
import { afterEach, beforeEach, expect, test } from "vitest"
import { boxImagesFolder } from "../../../../box/src/box-options.js"
import { listImages } from "../../../../box/src/image/open-image.js"
import { testImage, testImagesFolder } from "../../../../box/src/testing/test-image.js"
import type { Command, Run } from "../command.js"
import { commands } from "../commands.js"
import type { Invocation } from "../invocation.js"
import { boxCommands } from "./box-commands.js"
import { run as doctor } from "./doctor.js"
import { run as image } from "./image.js"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-box-command-"))
  mkdirSync(join(folder, "work"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly code: number
  readonly out: string
}

async function ran(run: Run, operands: readonly string[], flags: { readonly json?: boolean } = {}): Promise<Ran> {
  const out = new PassThrough()
  const invocation: Invocation = {
    command: boxCommands[0] as Command,
    path: "box image",
    operands,
    json: flags.json ?? false,
    ndjson: false,
    quiet: true,
    color: undefined,
    language: "en",
    say: sayEnglish,
    text: () => undefined,
    list: () => [],
    flag: () => false,
  }
  const env = { HOME: folder, HAFT_HOME: join(folder, "state"), NO_COLOR: "1" }
  const io = { stdin: new PassThrough(), stdout: out, stderr: new PassThrough(), env, cwd: join(folder, "work") }
  const code = await run(invocation, io)
  return { code, out: String(out.read() ?? "") }
}

async function refused(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

test("without images the list says how to get one", async () => {
  expect((await ran(image, ["list"])).out).toContain("haft box image build debian-12")
  expect(JSON.parse((await ran(image, ["list"], { json: true })).out)).toEqual([])
})

test("a word that is misspelt, missing or too much is an error that says what is known", async () => {
  expect((await refused(ran(image, ["bulid", "debian-12"]))).hint).toBe("Did you mean build?")
  expect((await refused(ran(image, ["build"]))).message).toContain("NAME [MIRROR]")
  expect((await refused(ran(image, ["list", "more"]))).code).toBe("invalid_args")
  expect((await refused(ran(image, ["build", "debian-99"]))).message).toContain("debian-12")
  expect((await refused(ran(image, ["warm", "debian-12"]))).details).toMatchObject({ reason: "BOX_IMAGE_MISSING" })
  expect((await refused(ran(image, ["remove", "debian-12"]))).code).toBe("not_configured")
  expect((await refused(ran(image, ["import", "mine", "missing.tar"]))).code).toBe("not_configured")
})

test("the check of boxes fails where no machine can be tried", async () => {
  const { code, out } = await ran(doctor, [])
  expect(code).toBe(7)
  expect(out).toMatch(/fails +qemu-tcg +vm-emulated +no image is installed/)
})

test("the commands are in the command line", () => {
  expect(commands.find(({ name }) => name === "box")?.commands).toBe(boxCommands)
})

const installed = (await listImages(testImagesFolder)).some(({ name }) => name === testImage)

test.skipIf(!installed)("an installed image is listed with its system and can be removed", async () => {
  const images = boxImagesFolder(join(folder, "state"))
  mkdirSync(images, { recursive: true })
  // A link, so that removing it leaves the image of the tests alone.
  symlinkSync(join(testImagesFolder, testImage), join(images, testImage))
  expect((await ran(image, ["list"])).out).toMatch(
    /IMAGE +SYSTEM +SIZE +START +DIGEST\ndebian-12 +debian 12 +\d+ MB +warm +sha256:/,
  )
  expect(JSON.parse((await ran(image, ["remove", testImage], { json: true })).out)).toEqual({ removed: testImage })
  expect(readdirSync(images)).toEqual([])
  expect(await listImages(testImagesFolder)).not.toEqual([])
})
