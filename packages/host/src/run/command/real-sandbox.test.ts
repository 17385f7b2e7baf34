import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CommandRequest, JobView, ReplRequest } from "@haft/contract"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSandboxes, type Sandboxes } from "../../sandbox/index.js"
import { createObserver, type Observer } from "../../undo/record/create-observer.js"
import { SessionJobs } from "../job/session-jobs.js"
import {
  createTestSession,
  processesWith,
  type TestCallOptions,
  type TestSession,
} from "../process/testing/test-session.js"
import { SessionRepl } from "../repl/session-repl.js"
import { createCommands } from "./create-commands.js"

const canRun = process.platform === "linux" && existsSync("/usr/bin/bwrap")
if (!canRun) console.warn("skipped: no bubblewrap here, so nothing is run in the real sandbox")

describe.skipIf(!canRun).each(["bwrap", "unshare"] as const)("in the real sandbox of %s", (backend) => {
  let session: TestSession
  let sandboxes: Sandboxes
  let observe: Observer
  let jobs: SessionJobs
  let repl: SessionRepl
  let ends: JobView[]

  beforeAll(async () => {
    ends = []
    session = createTestSession()
    const { place, sessionFolder, historyFolder } = session
    const haftHome = join(sessionFolder, "..", "haft")
    sandboxes = await createSandboxes({
      ...place,
      ...{ policy: "required", backends: [backend], haftHome, cacheFolder: join(haftHome, "cache") },
      ...{ home: process.env.HOME ?? "/root", path: process.env.PATH ?? "/usr/bin:/bin" },
    })
    observe = createObserver({ ...place, historyFolder })
    jobs = new SessionJobs({ ...place, sandboxes, onEnd: (view) => void ends.push(view) })
    repl = new SessionRepl({ ...place, sandboxes, path: "/usr/bin:/bin" })
  })
  afterAll(async () => {
    await Promise.all([jobs.close(), repl.close(), observe.close()])
    await sandboxes.close()
    session.remove()
  })

  const run = (command: string, more: Partial<CommandRequest> = {}, call: TestCallOptions = {}) =>
    createCommands({ ...session.place, sandboxes, observe })(session.call(call)).run({
      argv: ["/bin/bash", "-c", command],
      timeoutMs: 20_000,
      keepBytes: 10_000,
      ...more,
    })

  test("[C2-82] a command runs to its end with bounded output, and says what confined it", async () => {
    const end = await run("echo hi; pwd; exit 3")
    expect(end).toMatchObject({
      stdout: { text: `hi\n${session.root}\n` },
      exitCode: 3,
      isolation: { level: "namespaces" },
    })
    expect((await run("yes | head -c 5000000", { keepBytes: 1000 })).stdout).toMatchObject({ totalBytes: 5_000_000 })
  })

  test("a program that the sandbox does not show is passed over for the next on the path, unless there is no sandbox", async () => {
    const hidden = join(session.sessionFolder, "..", "hidden-programs")
    mkdirSync(hidden, { recursive: true })
    for (const name of ["true", "only-here"]) copyFileSync("/usr/bin/env", join(hidden, name))
    const find = (program: string, unconfined = false) => {
      const sandbox = { profile: "workspace-write", hosts: [], approved: [], unconfined } as const
      const commands = createCommands({ ...session.place, sandboxes, path: `${hidden}:/usr/bin:/bin` })
      return commands(session.call({ grant: { sandbox } })).find(program)
    }
    expect(await find("true")).toBe("/usr/bin/true")
    expect((await run("", { argv: [(await find("true"))!] })).exitCode).toBe(0)
    expect(await find("true", true)).toBe(join(hidden, "true"))
    // A caller that names a path means that one, and the error says why it does not run.
    expect(await find(join(hidden, "true"))).toBe(join(hidden, "true"))
    await expect(run("", { argv: [(await find("only-here"))!] })).rejects.toMatchObject({ code: "not_configured" })
  })

  test("an interpreter that the sandbox does not show is passed over for the next on the path", async () => {
    const hidden = join(session.sessionFolder, "..", "elsewhere")
    mkdirSync(hidden, { recursive: true })
    for (const name of ["python3", "python"]) copyFileSync("/usr/bin/env", join(hidden, name))
    const evaluate = async (path: string) => {
      const found = new SessionRepl({ ...session.place, sandboxes, path })
      const request = { timeoutMs: 20_000, keepBytes: 1000, signal: new AbortController().signal }
      try {
        return await found.port(session.call()).evaluate({ language: "python", code: "6 * 7", ...request })
      } finally {
        await found.close()
      }
    }
    expect((await evaluate(`${hidden}:/usr/bin:/bin`)).stdout.text).toBe("42\n")
    await expect(evaluate(hidden)).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining(`"${join(hidden, "python3")}": it is outside of what the sandbox shows`),
    })
  })

  test("[C2-82] nothing outlives it, whatever kind of child", async () => {
    const tag = `36.${process.pid}`
    const children = `sleep ${tag} &\nsetsid sleep ${tag} >/dev/null 2>&1 &\n(trap '' TERM; sleep ${tag}) &\n`
    expect((await run(`${children} echo done`)).teardown.survivors).toEqual([])
    expect(processesWith(tag)).toEqual([])
    const late = await run(`${children} sleep ${tag}`, { timeoutMs: 3000 })
    expect(late).toMatchObject({ timedOut: true, exitCode: null, teardown: { survivors: [] } })
    expect(late.teardown.ended).toBeGreaterThanOrEqual(4)
    expect(processesWith(tag)).toEqual([])
  })

  test("what it wrote is told and can be undone; behind `read-only` it cannot write", async () => {
    writeFileSync(join(session.root, "file"), "one")
    expect((await run("echo two > file; echo new > new")).changes).toMatchObject({
      written: ["file", "new"],
      complete: true,
    })
    expect(session.effects).toMatchObject([{ kept: true }, { before: null }])
    const looked = await run("echo three > file", {}, { profile: "read-only" })
    expect(looked.exitCode).not.toBe(0)
    expect(looked.changes).toMatchObject({ written: [], complete: true })
  })

  test("a program that does not exist is an error", async () => {
    await expect(run("", { argv: ["/nonexistent/program"] })).rejects.toMatchObject({ code: "not_found" })
    await expect(run("", { argv: ["./absent"] })).rejects.toMatchObject({ code: "not_found" })
  })

  test("jobs and interpreters that a signal ended have no exit code", async () => {
    const { signal } = new AbortController()
    const port = jobs.port(session.call())
    const endOf = async (line: string) => {
      const { id } = await port.start({ argv: ["/bin/bash", "-c", `read go; ${line}`], label: "job" })
      await port.input(id, "go\n")
      for (let round = 0; round < 40; round += 1) {
        const view = await port.output(id, { waitMs: 500, signal })
        if (view.state !== "running") return { exitCode: view.exitCode, signal: view.signal }
      }
    }
    expect(await endOf("kill -9 $$")).toEqual({ exitCode: null, signal: "SIGKILL" })
    expect(await endOf("exit 137")).toEqual({ exitCode: 137, signal: undefined })
    const evaluate = (code: string) =>
      repl.port(session.call()).evaluate({ language: "shell", code, timeoutMs: 20_000, keepBytes: 10_000, signal })
    expect((await evaluate("kill -9 $$")).exitCode).toBeNull()
    expect((await evaluate("exit 137")).exitCode).toBe(137)
    ends = []
  })

  test("interpreters keep their state", async () => {
    const port = repl.port(session.call())
    const evaluate = (language: ReplRequest["language"], code: string, timeoutMs = 20_000) =>
      port.evaluate({ language, code, timeoutMs, keepBytes: 10_000, signal: new AbortController().signal })
    await evaluate("python", "x = 4")
    expect((await evaluate("python", "x * 2")).stdout.text).toBe("8\n")
    expect((await evaluate("python", "while True: pass", 300)).timedOut).toBe(true)
    expect((await evaluate("python", "x * 3")).stdout.text).toBe("12\n")
    await evaluate("javascript", "let y = 5")
    expect((await evaluate("javascript", "y * 2")).stdout.text).toBe("10\n")
    await evaluate("shell", "z=6")
    const shell = await evaluate("shell", "echo $z; touch no 2>&1 || echo read-only")
    expect(shell.stdout.text).toMatch(/^6\n[\s\S]*read-only\n$/)
    expect(shell.isolation).toMatchObject({ level: "namespaces", profile: "read-only" })
  })

  test("a job with a terminal is interrupted by ^C and is gone when it is stopped", async () => {
    const port = jobs.port(session.call())
    const { signal } = new AbortController()
    const request = { argv: ["/bin/bash", "--norc", "-i"], label: "bash", terminal: true }
    const { id, output: first } = await port.start(request)
    const until = async (pattern: RegExp, before = "") => {
      let all = before
      for (let round = 0; round < 40 && !pattern.test(all); round++) {
        all += (await port.output(id, { waitMs: 500, signal })).output
      }
      expect(all).toMatch(pattern)
      return all
    }
    const prompt = /[#$] $/
    await until(prompt, first)
    const tag = `37.${process.pid}`
    await port.input(id, `sleep ${tag}\n`)
    while (processesWith(tag).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    // Each of these holds the job against rules that may be new, and pauses it for that: its shell must not notice.
    let shown = ""
    for (let look = 0; look < 30; look++) shown += (await port.output(id, { signal })).output
    expect(shown).not.toContain("Stopped")
    await port.input(id, "\x03")
    await until(prompt)
    await port.input(id, "echo after-$((40+2))\n")
    await until(/after-42/)
    expect(await port.stop(id)).toMatchObject({ state: "stopped" })
    expect(ends).toHaveLength(1)
  })

  test("a job says what it created under a protected name and where that is now", async () => {
    writeFileSync(join(session.root, "yarn.lock"), "")
    const port = jobs.port(session.call())
    const argv = ["/bin/bash", "-c", "echo x > .yarnrc; echo made; read line"]
    const { id, output } = await port.start({ argv, label: "job" })
    if (output === "") await port.output(id, { waitMs: 10_000, signal: new AbortController().signal })
    const view = await port.stop(id)
    const words = `"${join(session.root, ".yarnrc")}" was created under a protected name and moved to "`
    expect(view.quarantined?.[0]).toContain(words)
    expect(ends.at(-1)).toMatchObject({ id, quarantined: view.quarantined })
    expect(existsSync(join(session.root, ".yarnrc"))).toBe(false)
    rmSync(join(session.root, "yarn.lock"))
  })

  test("a server in its own network is found to be ready", async () => {
    const port = jobs.port(session.call())
    const server = "require('http').createServer((q, r) => r.end()).listen(8080, '127.0.0.1')"
    const { id } = await port.start({ argv: ["node", "-e", server], label: "server", readyWhen: { port: 8080 } })
    let { ready } = await port.output(id, { waitMs: 5000, signal: new AbortController().signal })
    for (let round = 0; round < 20 && !ready; round++) {
      ;({ ready } = await port.output(id, { waitMs: 500, signal: new AbortController().signal }))
    }
    expect(ready).toBe(true)
    await port.stop(id)
  })

  test("where it was let go and where not is recorded, and the way to the network is no process of the command", async () => {
    session.effects.length = 0
    const sandbox = { profile: "workspace-write+net", hosts: ["example.org"], approved: [], unconfined: false } as const
    const ask = "curl -sS -o /dev/null https://refused.example/ 2>/dev/null"
    const end = await run(`${ask}; ${ask}; sleep 30; true`, { timeoutMs: 5000 }, { grant: { sandbox } })
    expect(session.effects).toEqual([
      { kind: "net.fetch", host: "refused.example", port: 443, refused: expect.stringContaining("refused.example") },
    ])
    // bash and the sleep that it waits for.
    expect(end).toMatchObject({ timedOut: true, teardown: { ended: 2, survivors: [] } })
  })
})
