import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CommandRequest, SandboxedCall } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createObserver } from "../../undo/record/create-observer.js"
import { undoEffects } from "../../undo/restore/undo-effects.js"
import { createTestSession, type TestCallOptions, type TestSession } from "../process/testing/test-session.js"
import { type CommandsOptions, createCommands, narrowSandbox } from "./create-commands.js"
import { createGate } from "./gate.js"

let session: TestSession
beforeEach(() => {
  session = createTestSession()
})
afterEach(() => {
  expect(session.standing()).toBe(0)
  session.remove()
})

const commandsFor = (call: SandboxedCall, options: Partial<CommandsOptions> = {}) =>
  createCommands({ ...session.place, sandboxes: session.sandboxes, ...options })(call)
const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
  argv: ["bash", "-c", command],
  timeoutMs: 20_000,
  keepBytes: 10_000,
  ...more,
})
const run = (command: string, more: Partial<CommandRequest> = {}, call: TestCallOptions = { profile: "read-only" }) =>
  commandsFor(session.call(call)).run(request(command, more))

describe("a command", () => {
  test("says what confined it, what was ended and what is known about its changes", async () => {
    expect(await run("echo hi; sleep 30 & exit 2")).toMatchObject({
      stdout: { text: "hi\n" },
      exitCode: 2,
      timedOut: false,
      isolation: { level: "none" },
      teardown: { ended: 1, survivors: [] },
      changes: { written: [], complete: false },
    })
  })

  test("starts in the session's directory or in one inside the workspace, never outside", async () => {
    mkdirSync(join(session.root, "sub"))
    symlinkSync("/", join(session.root, "out"))
    expect((await run("pwd")).stdout.text.trim()).toBe(session.root)
    expect((await run("pwd", { directory: "sub" })).stdout.text.trim()).toBe(join(session.root, "sub"))
    expect((await run("pwd", { directory: join(session.sessionFolder, "scratch") })).exitCode).toBe(0)
    await expect(run("pwd", { directory: "/etc" })).rejects.toMatchObject({ code: "denied" })
    await expect(run("pwd", { directory: "out/etc" })).rejects.toMatchObject({ code: "denied" })
    await expect(run("pwd", { directory: "none" })).rejects.toMatchObject({ code: "not_found" })
  })

  test("gets no more than the built environment and what its caller vouches for", async () => {
    process.env.HAFT_TEST_SECRET = "hunter2"
    try {
      const { stdout } = await run("env", { environment: { ASKED: "yes" } })
      expect(stdout.text).toContain("ASKED=yes\n")
      expect(stdout.text).not.toContain("hunter2")
    } finally {
      delete process.env.HAFT_TEST_SECRET
    }
  })

  test("that would ask for a password fails instead of waiting", async () => {
    const { stdout } = await run("echo $GIT_TERMINAL_PROMPT; test -t 0 || echo no terminal; : < /dev/tty || echo none")
    expect(stdout.text).toBe("0\nno terminal\nnone\n")
    const asked = await run("git -c credential.helper= ls-remote http://127.0.0.1:9/x", { timeoutMs: 15_000 })
    expect(asked.timedOut).toBe(false)
    expect(asked.exitCode).not.toBe(0)
  })

  test("that is aborted is cancelled, and its sandbox is given back", async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    const aborted = run("sleep 30", {}, { signal: controller.signal })
    await expect(aborted).rejects.toMatchObject({ code: "cancelled" })
    await expect(run("true", {}, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" })
  })

  test("whose long output went to a file is pointed to it by the call's id, wherever the id tries to lead", async () => {
    const { outputPath } = await run("seq 1 100000", {}, { profile: "read-only", callId: "../../evil" })
    expect(outputPath).toBe(join(session.sessionFolder, "out", "______evil.txt"))
    expect(readFileSync(outputPath!, "utf8")).toContain("\n100000\n")
  })
})

describe("the sandbox", () => {
  const work = { profile: "workspace-write+net", hosts: ["a"], approved: [".vscode"], unconfined: true } as const

  test("can be narrower than the grant, never wider", () => {
    expect(narrowSandbox(work, undefined)).toBe(work)
    expect(narrowSandbox(work, "read-only")).toEqual({
      profile: "read-only",
      hosts: [],
      approved: [".vscode"],
      unconfined: false,
    })
    expect(() => narrowSandbox({ ...work, profile: "read-only" }, "workspace-write")).toThrow(/was given "read-only"/)
    expect(() => narrowSandbox({ ...work, profile: "workspace-write" }, "workspace-write+net")).toThrow(
      /was given "workspace-write"/,
    )
  })

  test("that cannot be built is the error, and nothing runs", async () => {
    const sandboxes = { prepare: () => Promise.reject(new Error("no sandbox")) }
    const commands = commandsFor(session.call(), { sandboxes })
    await expect(commands.run(request("touch ran"))).rejects.toThrow("no sandbox")
    expect(readdirSync(session.root)).toEqual([])
  })
})

describe("a command that may write", () => {
  const observer = () => createObserver({ ...session.place, historyFolder: session.historyFolder })
  const undo = () => undoEffects(session.effects, { historyFolder: session.historyFolder, roots: [session.root] })

  test("tells what it changed, and undo brings it back, also after rm -rf", async () => {
    mkdirSync(join(session.root, "src"))
    writeFileSync(join(session.root, "src", "a"), "a")
    const observe = observer()
    const commands = commandsFor(session.call(), { observe })
    const { changes } = await commands.run(request("rm -rf src; echo b > b"))
    expect(changes).toEqual({
      written: ["b"],
      deleted: ["src/a"],
      unexpected: [],
      protectedCreated: [],
      complete: true,
    })
    await undo()
    expect(readFileSync(join(session.root, "src", "a"), "utf8")).toBe("a")
    expect(existsSync(join(session.root, "b"))).toBe(false)
    await observe.close()
  })

  test("is recorded also when it was aborted or failed to start", async () => {
    const observe = observer()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 200)
    const commands = commandsFor(session.call({ signal: controller.signal }), { observe })
    await expect(commands.run(request("echo x > x; sleep 30"))).rejects.toMatchObject({ code: "cancelled" })
    expect(session.effects).toMatchObject([{ kind: "fs.write", path: join(session.root, "x") }])
    await observe.close()
  })
})

describe("finding a program", () => {
  const find = (program: string, path?: string) =>
    commandsFor(session.call(), path === undefined ? {} : { path }).find(program)
  const put = (name: string) => {
    writeFileSync(join(session.root, name), "#!/bin/sh\n")
    chmodSync(join(session.root, name), 0o755)
  }

  test("gives the first one on the search path, absolute", async () => {
    expect(await find("sh", "/nonexistent:/usr/bin:/bin")).toMatch(/^\/(usr\/)?bin\/sh$/)
    expect(await find("no-such-program-at-all")).toBeUndefined()
  })

  test("never one that is in the workspace, nor one through a link of it", async () => {
    put("git")
    symlinkSync("/bin/sh", join(session.root, "shell"))
    expect(await find("git", session.root)).toBeUndefined()
    expect(await find(join(session.root, "shell"))).toBeUndefined()
    expect(await find("./git", ".")).toBeUndefined()
    expect(await find("git", ".")).toBeUndefined()
    expect(await find("", "/usr/bin")).toBeUndefined()
  })
})

describe("many commands at once", () => {
  test("100 all run, at most so many at a time", async () => {
    let now = 0
    let most = 0
    const sandboxes: CommandsOptions["sandboxes"] = {
      async prepare(wanted) {
        now += 1
        most = Math.max(most, now)
        const sandbox = await session.sandboxes.prepare(wanted)
        return {
          ...sandbox,
          release: async () => {
            now -= 1
            return sandbox.release()
          },
        }
      },
    }
    const gate = createGate({ running: 4, waiting: 1000 })
    const one = (n: number) =>
      commandsFor(session.call({ profile: "read-only" }), { sandboxes, gate }).run(request(`echo ${n}`))
    const ends = await Promise.all(Array.from({ length: 100 }, (_, n) => one(n)))
    expect(ends.map(({ stdout }) => Number(stdout.text))).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(most).toBe(4)
  })

  test("sessions take turns, a full queue refuses, and giving up leaves the queue", async () => {
    const gate = createGate({ running: 1, waiting: 4 })
    const { signal } = new AbortController()
    const order: string[] = []
    let open: () => void = () => undefined
    const held = gate.enter("a", signal, () => new Promise<void>((resolve) => (open = resolve)))
    const quitter = new AbortController()
    const enter = (key: string, name: string, own = signal) => gate.enter(key, own, async () => void order.push(name))
    const waiting = [enter("a", "a1"), enter("a", "a2"), enter("b", "b1")]
    const quit = enter("a", "never", quitter.signal)
    await expect(enter("a", "too many")).rejects.toMatchObject({ code: "rate_limited" })
    quitter.abort()
    await expect(quit).rejects.toMatchObject({ code: "cancelled" })
    open()
    await Promise.all([held, ...waiting])
    expect(order).toEqual(["a1", "b1", "a2"])
  })
})
