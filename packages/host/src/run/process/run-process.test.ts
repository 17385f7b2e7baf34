import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ProcessRequest } from "./run-process.js"
import { runInSession } from "./testing/run-in-session.js"
import { hasNamespaces, namespaceSandbox, plainSandbox } from "./testing/test-sandboxes.js"
import { createTestSession, processesWith, type TestSession } from "./testing/test-session.js"

const onLinux = process.platform === "linux"
if (!hasNamespaces) console.warn("skipped: no bubblewrap here, so nothing is run in a process namespace")

let session: TestSession
beforeEach(() => {
  session = createTestSession()
})
afterEach(() => session.remove())

// A number in the command line by which a test finds its own processes.
let tag = 7000 + (process.pid % 1000)
const nextTag = () => `30.${process.pid}${++tag}`

function run(command: string, options: Partial<ProcessRequest> = {}) {
  return runInSession(session, command, options)
}

describe("a command that ends", () => {
  test("gives its output, exit code and signal", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
      stdout: { text: "out\n", totalBytes: 4, truncated: false },
      stderr: { text: "err\n" },
      exitCode: 3,
      timedOut: false,
      aborted: false,
      teardown: { ended: 0, survivors: [] },
    })
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" })
  })

  test("has standard input closed, or gets exactly the text it was given", async () => {
    expect((await run("cat; echo end")).stdout.text).toBe("end\n")
    expect((await run("cat", { input: "grüße\n" })).stdout.text).toBe("grüße\n")
    expect((await run("exit 0", { input: "x".repeat(5_000_000) })).exitCode).toBe(0)
  })

  test("that does not exist is an error with a code, not an exit code", async () => {
    const failure = await run("", { argv: ["/nonexistent/program"] }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: "not_found", message: expect.stringContaining("/nonexistent/program") })
    expect(ToolError.is(failure)).toBe(true)
    const sandbox = plainSandbox({ directory: "/nonexistent", environment: {} })
    await expect(run("true", { sandbox })).rejects.toMatchObject({ code: "not_found" })
  })

  test("tells about output while it comes, cut between characters", async () => {
    const pieces: string[] = []
    await run("for i in 1 2 3; do printf 'h\\303'; sleep 0.02; printf '\\244h'; done", {
      onOutput: (stream, text) => void pieces.push(`${stream} ${text}`),
    })
    expect(pieces.map((piece) => piece.slice("stdout ".length)).join("")).toBe("hähhähhäh")
    expect(pieces.join("")).not.toContain("\uFFFD")
  })
})

describe("long output", () => {
  test("keeps head and tail in memory and everything in a file for the user alone", async () => {
    const end = await run("seq 1 100000", { keepBytes: 1000 })
    expect(end.stdout.text).toMatch(/^1\n2\n3\n[\s\S]*\[\.\.\. \d+ bytes left out \.\.\.\]\n[\s\S]*99999\n100000\n$/)
    expect(end.stdout.text.length).toBeLessThan(1100)
    expect(end.stdout).toMatchObject({ totalBytes: 588895, truncated: true })
    const file = readFileSync(end.outputPath!, "utf8")
    expect(file).toHaveLength(588895)
    expect(file.endsWith("99999\n100000\n")).toBe(true)
    expect(statSync(end.outputPath!).mode & 0o777).toBe(0o600)
  })

  test("that fits leaves no file", async () => {
    expect(await run("seq 1 100", { keepBytes: 292 })).not.toHaveProperty("outputPath")
    expect(existsSync(join(session.sessionFolder, "out"))).toBe(false)
  })

  test("a second output of a call gets a file of its own", async () => {
    const first = await run("seq 1 1000", { keepBytes: 10 })
    const second = await run("seq 1 1000", { keepBytes: 10 })
    expect(second.outputPath).not.toBe(first.outputPath)
  })

  test("past the limits of the file keeps its head and tail and the true count", async () => {
    const end = await run("head -c 3000000 /dev/zero | tr '\\0' a; echo END", {
      sidecar: {
        folder: join(session.sessionFolder, "out"),
        name: "call",
        limits: { headBytes: 100_000, tailBytes: 1000 },
      },
    })
    const file = readFileSync(end.outputPath!, "latin1")
    expect(end.stdout.totalBytes).toBe(3_000_004)
    expect(file).toMatch(/^a{100000}\n\[\.\.\. 2899004 bytes left out \.\.\.\]\na{996}END\n$/)
  })

  test("that never ends is ended at the deadline with bounded memory", async () => {
    const before = process.memoryUsage().rss
    const end = await run("yes", { timeoutMs: 1500, keepBytes: 100_000 })
    expect(end).toMatchObject({ timedOut: true, exitCode: null, teardown: { survivors: [] } })
    expect(end.stdout.totalBytes).toBeGreaterThan(1_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })

  test("of any bytes is decoded without failing", async () => {
    const end = await run("head -c 100000 /dev/urandom; head -c 50000 /dev/urandom >&2", { keepBytes: 1001 })
    expect(end.stdout.totalBytes).toBe(100_000)
    expect(end.stderr.totalBytes).toBe(50_000)
    expect(statSync(end.outputPath!).size).toBe(150_000)
  })

  test("in a folder that cannot be written is still a result", async () => {
    const end = await run("seq 1 10000", { keepBytes: 10, sidecar: { folder: "/dev/null/out", name: "call" } })
    expect(end).toMatchObject({ exitCode: 0, stdout: { truncated: true } })
    expect(end).not.toHaveProperty("outputPath")
  })
})

describe.skipIf(!onLinux)("when a command must end", () => {
  test("a late one is ended with all that it started", async () => {
    const tag = nextTag()
    const end = await run(`sleep ${tag} & sleep ${tag}; echo never`, { timeoutMs: 150 })
    expect(end).toMatchObject({ timedOut: true, exitCode: null, stdout: { text: "" } })
    expect(end.teardown.ended).toBeGreaterThanOrEqual(2)
    expect(processesWith(tag)).toEqual([])
  })

  test("a silent one is ended, one that keeps talking is not", async () => {
    expect(await run("echo once; sleep 20", { idleMs: 200 })).toMatchObject({
      timedOut: true,
      stdout: { text: "once\n" },
    })
    expect(await run("for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done", { idleMs: 2000 })).toMatchObject({
      timedOut: false,
      exitCode: 0,
    })
  })

  test("an aborted one is ended, also when the abort came first", async () => {
    const tag = nextTag()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    expect(await run(`sleep ${tag}`, { signal: controller.signal })).toMatchObject({ aborted: true, exitCode: null })
    expect(await run(`sleep ${tag}`, { signal: controller.signal })).toMatchObject({ aborted: true })
    expect(processesWith(tag)).toEqual([])
  })

  test("one that cleans up when asked gets the time for it", async () => {
    await run(`trap 'echo bye > bye; exit 0' TERM; while :; do sleep 0.01; done`, { timeoutMs: 200 })
    expect(readFileSync(join(session.root, "bye"), "utf8")).toBe("bye\n")
  })
})

const sandboxes = [
  ["unconfined", plainSandbox, onLinux],
  ["in a namespace", namespaceSandbox, hasNamespaces],
] as const

describe.each(sandboxes)("what a command leaves behind, %s", (_, sandbox, canRun) => {
  const runBehind = (command: string, options: Partial<ProcessRequest> = {}) =>
    run(command, { sandbox: sandbox({ directory: session.root, environment: {} }), ...options })

  test.skipIf(!canRun)("a held pipe does not hold the result", async () => {
    const tag = nextTag()
    const end = await runBehind(`sleep ${tag} & echo done`)
    expect(end).toMatchObject({ stdout: { text: "done\n" }, exitCode: 0, timedOut: false, teardown: { survivors: [] } })
    expect(processesWith(tag)).toEqual([])
  })

  test.skipIf(!canRun)("endless output of a child that stays does not hold the result", async () => {
    const end = await runBehind("yes & echo done")
    expect(end).toMatchObject({ exitCode: 0, timedOut: false, teardown: { survivors: [] } })
  })

  const kinds: Readonly<Record<string, (tag: string) => string>> = {
    "in the background": (tag) => `sleep ${tag} &`,
    "in a session of its own": (tag) => `setsid sleep ${tag} >/dev/null 2>&1 &`,
    "deaf to hang-ups": (tag) => `nohup sleep ${tag} >/dev/null 2>&1 &`,
    "forked twice": (tag) => `(setsid bash -c 'sleep ${tag} & sleep ${tag} &' &)`,
    "deaf to requests": (tag) => `bash -c 'trap "" TERM HUP INT; while :; do sleep ${tag}; done' &`,
  }

  test.skipIf(!canRun).each(Object.keys(kinds))("a child %s is gone afterwards", async (kind) => {
    const tag = nextTag()
    const left = await runBehind(`${kinds[kind]!(tag)}\nsleep 0.05; echo done`)
    expect(left).toMatchObject({ stdout: { text: "done\n" }, stderr: { text: "" }, teardown: { survivors: [] } })
    // A namespace dies as a whole before anybody can count.
    if (sandbox === plainSandbox) expect(left.teardown.ended).toBeGreaterThan(0)
    expect(processesWith(tag)).toEqual([])
    const controller = new AbortController()
    const running = runBehind(`${kinds[kind]!(tag)}\nexec -a up sleep ${tag}`, { signal: controller.signal })
    while (processesWith(`up\0${tag}`).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    const late = await running
    expect(late).toMatchObject({ aborted: true, stderr: { text: "" }, teardown: { survivors: [] } })
    expect(late.teardown.ended).toBeGreaterThan(1)
    expect(processesWith(tag)).toEqual([])
  })

  test.skipIf(!canRun)("nothing survives 100 trials of all kinds at once", async () => {
    const tag = nextTag()
    const all = Object.values(kinds)
      .map((kind) => kind(tag))
      .join("\n")
    const trial = async (index: number) => {
      const late = index % 2 === 0
      const end = await runBehind(`${all}\n${late ? `sleep ${tag}` : "echo done"}`, { timeoutMs: late ? 60 : 20_000 })
      expect(end).toMatchObject({ timedOut: late, stderr: { text: "" }, teardown: { survivors: [] } })
    }
    for (let index = 0; index < 100; index += 4) {
      await Promise.all([0, 1, 2, 3].map((offset) => trial(index + offset)))
    }
    expect(processesWith(tag)).toEqual([])
  })
})
