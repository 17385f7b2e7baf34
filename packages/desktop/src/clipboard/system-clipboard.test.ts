import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClipboard } from "./create-clipboard.js"
import { hasPrograms, runOn, startSway, startXvfb, type TestDisplay } from "./testing/displays.js"

const sample = "line one\nhéllo 🦄 世界\r\n\tno newline at the end"

// Packages xvfb, xclip and xsel.
describe.skipIf(!hasPrograms("Xvfb", "xclip"))("the clipboard of an X11 display", () => {
  let display: TestDisplay
  beforeAll(async () => {
    display = await startXvfb()
  })
  afterAll(() => display.close())

  const open = (options: { readonly path?: string; readonly timeLimitMs?: number } = {}) =>
    createClipboard({
      environment: { ...display.environment, PATH: options.path ?? process.env.PATH },
      platform: "linux",
      // Long enough for a busy machine; what must time out says so itself.
      timeLimitMs: options.timeLimitMs ?? 60_000,
    })

  test("what one session writes another one reads, byte for byte", async () => {
    for (const text of [sample, "", "x".repeat(5 * 1024 * 1024), "after"]) {
      expect(await open().write(text)).toEqual({ source: "system" })
      const read = await open().read()
      expect(read.source).toBe("system")
      expect(read.text === text).toBe(true)
    }
  })

  test("any text without NUL and without halves of characters is kept", async () => {
    const clipboard = open()
    const text = fc.string({ unit: "binary" }).filter((each) => !each.includes("\0"))
    await fc.assert(
      fc.asyncProperty(text, async (each) => {
        await clipboard.write(each)
        expect((await clipboard.read()).text).toBe(each)
      }),
      { numRuns: 10 },
    )
  })

  test("what another program copied is read", async () => {
    runOn(display, "xclip", ["-selection", "clipboard", "-in"], sample)
    expect((await open().read()).text).toBe(sample)
  })

  test("an image is no text, and the error says what it is", async () => {
    runOn(display, "xclip", ["-selection", "clipboard", "-in", "-target", "image/png"], "not really one")
    await expect(open().read()).rejects.toMatchObject({
      code: "unsupported",
      message: "Cannot read the clipboard: its content is not text but image/png",
    })
  })

  test.skipIf(!hasPrograms("xsel"))("xsel alone does, and xclip reads what it does not call UTF-8", async () => {
    const clipboard = open({ path: await only("xsel") })
    expect(await clipboard.write(sample)).toEqual({ source: "system" })
    expect(await clipboard.read()).toEqual({ text: sample, source: "system" })
    expect(await open().read()).toEqual({ text: sample, source: "system" })
  })

  test("an owner that does not answer cannot hold the call, and nothing of ours is left", async () => {
    const owner = spawn("xclip", ["-quiet", "-selection", "clipboard", "-in"], {
      env: display.environment,
      stdio: ["pipe", "ignore", "ignore"],
    })
    owner.stdin.end("mine")
    await expect.poll(async () => (await open().read()).text, { timeout: 60_000 }).toBe("mine")
    owner.kill("SIGSTOP")
    try {
      await expect(open({ timeLimitMs: 1_000 }).read()).rejects.toMatchObject({ code: "timeout" })
      await expect.poll(() => readersOn(display), { timeout: 60_000 }).toEqual([])
    } finally {
      owner.kill("SIGKILL")
    }
  })

  async function only(program: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "haft-path-"))
    folders.push(folder)
    await symlink(`/usr/bin/${program}`, join(folder, program))
    return folder
  }
  const folders: string[] = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })
})

// sway and wl-copy: packages sway and wl-clipboard.
describe.skipIf(!hasPrograms("sway", "wl-copy", "wl-paste"))("the clipboard of a Wayland session", () => {
  let display: TestDisplay
  beforeAll(async () => {
    display = await startSway()
  }, 60_000)
  afterAll(() => display?.close())

  const open = () => createClipboard({ environment: display.environment, platform: "linux", timeLimitMs: 60_000 })

  test("what one session writes another one reads, byte for byte", async () => {
    for (const text of [sample, "", "x".repeat(1024 * 1024)]) {
      expect(await open().write(text)).toEqual({ source: "system" })
      const read = await open().read()
      expect(read.source).toBe("system")
      expect(read.text === text).toBe(true)
    }
  })

  test("an image is no text", async () => {
    runOn(display, "wl-copy", ["--type", "image/png"], "not really one")
    await expect(open().read()).rejects.toMatchObject({ code: "unsupported" })
  })
})

/** The command lines of programs that are reading the clipboard of this display. */
function readersOn({ environment }: TestDisplay): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "latin1")
        const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0")
        return line.includes("-out") && variables.includes(`DISPLAY=${environment.DISPLAY}`) ? [line] : []
      } catch {
        return []
      }
    })
}
