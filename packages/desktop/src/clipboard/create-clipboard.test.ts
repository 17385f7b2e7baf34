import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { clipboardProblem, createClipboard, type SessionClipboard } from "./create-clipboard.js"

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** A folder with programs that are shell scripts. */
async function programs(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "haft-clipboard-"))
  folders.push(folder)
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A process that has ended and waits for its parent to notice does not run.
  const status = `/proc/${pid}/status`
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, "utf8"))
}

function failureOf(running: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  return running.then(
    () => expect.fail("it should have failed"),
    (error) => error,
  )
}

describe("without a display", () => {
  const noDisplay = () => createClipboard({ environment: { PATH: process.env.PATH }, platform: "linux" })

  test("what was written is read back, and the source says that it is the session's own", async () => {
    const clipboard = noDisplay()
    const own = { source: "session", reason: "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)" }
    expect(await clipboard.read()).toEqual({ text: "", ...own })
    expect(await clipboard.write("héllo 🦄\r\n")).toEqual(own)
    expect(await clipboard.read()).toEqual({ text: "héllo 🦄\r\n", ...own })
  })

  test("two sessions do not share it", async () => {
    await noDisplay().write("mine")
    expect((await noDisplay().read()).text).toBe("")
  })

  test.each([
    ["a\0b", "invalid_args"],
    ["half \ud83e", "invalid_args"],
    ["é".repeat(3 * 1024 * 1024), "too_large"],
  ])("what no clipboard could give back is refused before anything is replaced", async (text, code) => {
    const clipboard = noDisplay()
    await clipboard.write("before")
    expect((await failureOf(clipboard.write(text))).code).toBe(code)
    expect((await clipboard.read()).text).toBe("before")
  })

  test("a display that is named but not there counts as none, also for what follows", async () => {
    const clipboard = createClipboard({ environment: { PATH: process.env.PATH, DISPLAY: ":987" }, platform: "linux" })
    const own = { source: "session", reason: expect.stringMatching(/does not answer|xclip/) }
    expect(await clipboard.write("text")).toEqual(own)
    expect(await clipboard.read()).toEqual({ text: "text", ...own })
  })

  test.each([
    ["darwin", {}, "pbcopy or pbpaste is not on the search path"],
    ["win32", {}, "PowerShell is not on the search path"],
    ["linux", {}, "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)"],
    ["linux", { WAYLAND_DISPLAY: "w" }, "wl-copy and wl-paste are not installed (wl-clipboard)"],
    ["linux", { DISPLAY: ":0" }, "neither xclip nor xsel is installed"],
    ["linux", { WSL_DISTRO_NAME: "Debian" }, "powershell.exe is not on the search path"],
    [
      "linux",
      { WAYLAND_DISPLAY: "w", DISPLAY: ":0" },
      "wl-copy and wl-paste are not installed (wl-clipboard); neither xclip nor xsel is installed",
    ],
  ] as const)(
    "%s with %j and without its programs has the session's own, and says why",
    async (platform, more, reason) => {
      const options = { environment: { PATH: "/nonexistent", ...more }, platform }
      expect(clipboardProblem(options)).toBe(reason)
      expect(await createClipboard(options).write("text")).toEqual({ source: "session", reason })
    },
  )
})

// These represent the programs of other systems: what they are asked, and how their answers are taken.
describe.skipIf(process.platform === "win32")("programs of other systems", () => {
  async function pasteboard(answers: { readonly paste: string }): Promise<SessionClipboard> {
    const path = await programs({ pbcopy: "cat > /dev/null", pbpaste: answers.paste })
    return createClipboard({ environment: { PATH: `${path}:/usr/bin:/bin` }, platform: "darwin" })
  }

  test("macOS: pbcopy and pbpaste, with UTF-8 asked for", async () => {
    const clipboard = await pasteboard({ paste: 'printf "é %s" "$LC_CTYPE"' })
    expect(await clipboard.write("x")).toEqual({ source: "system" })
    expect(await clipboard.read()).toEqual({ text: "é UTF-8", source: "system" })
  })

  test("content that is no UTF-8 or holds NULs is no text", async () => {
    for (const paste of ["printf '\\377\\376'", "printf 'a\\000b'"]) {
      expect((await failureOf((await pasteboard({ paste })).read())).code).toBe("unsupported")
    }
  })

  test("more than 5 MB is too large, and the program is ended", async () => {
    const clipboard = await pasteboard({ paste: "exec cat /dev/zero" })
    expect((await failureOf(clipboard.read())).code).toBe("too_large")
  })

  test("Windows: text, nothing, and what is no text", async () => {
    const path = await programs({
      powershell: 'printf "%s" "$HAFT"; test -e "$0.files" && { printf FileDrop; exit 3; }; exit 0',
    })
    const clipboard = createClipboard({
      environment: { PATH: `${path}:/usr/bin:/bin`, HAFT: "secret" },
      platform: "win32",
    })
    // Nothing of the environment that the programs do not need reaches them.
    expect(await clipboard.read()).toEqual({ text: "", source: "system" })
    await symlink("powershell", join(path, "powershell.files"))
    expect(await failureOf(clipboard.read())).toMatchObject({
      code: "unsupported",
      message: "Cannot read the clipboard: its content is not text but FileDrop",
    })
  })

  test("a program that hangs is ended with all that it started, and said to be late", async () => {
    const path = await programs({ "wl-paste": 'sleep 600 & echo $$ $! > "$HOME/pids"; wait', "wl-copy": "true" })
    const environment = { PATH: `${path}:/usr/bin:/bin`, WAYLAND_DISPLAY: "w", HOME: path }
    const clipboard = createClipboard({ environment, platform: "linux", timeLimitMs: 1_000 })
    const error = await failureOf(clipboard.read())
    expect(error.code).toBe("timeout")
    expect(error.message).toContain('"wl-paste" did not answer within 1 s')
    // What it started is gone with it.
    const pids = (await readFile(join(path, "pids"), "utf8")).trim().split(" ").map(Number)
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([])
  })

  test("a call that is given up ends the program with all that it started", async () => {
    const path = await programs({ "wl-paste": 'sleep 600 & echo $$ $! > "$HOME/pids"; wait', "wl-copy": "true" })
    const environment = { PATH: `${path}:/usr/bin:/bin`, WAYLAND_DISPLAY: "w", HOME: path }
    const clipboard = createClipboard({ environment, platform: "linux", timeLimitMs: 60_000 })
    const controller = new AbortController()
    const read = failureOf(clipboard.read(controller.signal))
    await expect.poll(() => existsSync(join(path, "pids")), { timeout: 30_000 }).toBe(true)
    controller.abort()
    expect((await read).code).toBe("cancelled")
    const pids = (await readFile(join(path, "pids"), "utf8")).trim().split(" ").map(Number)
    await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([])
    expect((await failureOf(clipboard.write("x", controller.signal))).code).toBe("cancelled")
  })

  test("Linux inside Windows has the clipboard of Windows", async () => {
    const path = await programs({ "powershell.exe": 'printf "from Windows"' })
    const environment = { PATH: `${path}:/usr/bin:/bin`, WSL_DISTRO_NAME: "Debian" }
    const clipboard = createClipboard({ environment, platform: "linux" })
    expect(await clipboard.read()).toEqual({ text: "from Windows", source: "system" })
  })

  test("no program is taken from a folder that a model can write to", async () => {
    const path = await programs({ "wl-paste": "printf stolen", "wl-copy": "true" })
    const environment = { PATH: `${path}:/usr/bin:/bin`, WAYLAND_DISPLAY: "nowhere" }
    const clipboard = createClipboard({ environment, platform: "linux", roots: [path] })
    expect(await clipboard.read()).toMatchObject({ text: "", source: "session" })
  })
})
