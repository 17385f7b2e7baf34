import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import type { Sandboxes } from "@haft/host"
import { afterEach, beforeEach, expect, test } from "vitest"
import { plainSandbox } from "../../host/src/run/process/testing/test-sandboxes.js"
import type { LanguageServersOptions } from "../src/language-servers.js"
import { fakeProgram, fakeSpec } from "./fake-spec.js"
import { type LanguageBench, openLanguageBench, testCall } from "./language-bench.js"

let bench: LanguageBench
let notes: string
beforeEach(async () => {
  notes = await mkdtemp(join(tmpdir(), "haft-lsp-notes-"))
})
afterEach(async () => {
  await bench?.close()
  expect(await alive()).toEqual([])
  await rm(notes, { recursive: true, force: true })
})

// Long enough for a busy machine; a test that waits for the end of a time sets a short one.
const patient = { initializeMs: 20_000, requestMs: 20_000, freshMs: 20_000, settleMs: 60, afterWriteMs: 20_000 }
const hover = { action: "hover", path: "a.fake", line: 1, character: 1 } as const
const diagnostics = { action: "diagnostics", path: "a.fake" } as const

async function open(mode: string, options: Partial<LanguageServersOptions> = {}): Promise<void> {
  const files = { [fakeProgram.path]: fakeProgram.text, "a.fake": "first\n" }
  const limits = { ...patient, ...options.limits }
  bench = await openLanguageBench(files, { table: [fakeSpec(mode, notes)], ...options, limits })
  await chmod(join(bench.root, fakeProgram.path), 0o755)
}

async function failure(asked: Promise<unknown>): Promise<ToolError> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (ToolError.is(error)) return error
  throw new Error(`no typed failure: ${String(error)}`)
}

async function started(): Promise<readonly number[]> {
  const lines = await readFile(join(notes, "pids"), "utf8").catch(() => "")
  return lines.split("\n").filter(Boolean).map(Number)
}

async function alive(): Promise<readonly number[]> {
  return (await started()).filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error("it did not come true")
}

test("a server that never answers its greeting is a timeout and is ended", async () => {
  await open("hang", { limits: { initializeMs: 300 } })
  expect((await failure(bench.ask(hover))).code).toBe("timeout")
  expect(await alive()).toEqual([])
  expect((await failure(bench.ask(hover))).code).toBe("timeout")
  expect(await failure(bench.ask(hover))).toMatchObject({ code: "unavailable" })
  expect(bench.starts).toHaveLength(2)
})

test("a server that dies at its start is started once more, then unavailable with its own words", async () => {
  await open("die")
  const error = await failure(bench.ask(hover))
  expect(error.code).toBe("unavailable")
  expect(error.message).toContain("it ended with code 3")
  expect(error.message).toContain("no such toolchain")
  expect(await started()).toHaveLength(2)
  await failure(bench.ask(hover))
  expect(await started()).toHaveLength(2)
})

test("a server that falls while it is asked is started once more, and the answer comes", async () => {
  await open("fall-once")
  expect((await bench.ask(hover)).text).toMatch(/^hello/)
  expect(await started()).toHaveLength(2)
})

test("a server that falls again is unavailable", async () => {
  await open("fall")
  expect((await failure(bench.ask(hover))).code).toBe("unavailable")
  expect(await started()).toHaveLength(2)
})

test("a server that writes garbage is ended, and that counts as a fall", async () => {
  await open("garbage")
  const error = await failure(bench.ask(hover))
  expect(error.code).toBe("unavailable")
  expect(error.message).toContain("does not keep to the protocol")
  expect(await alive()).toEqual([])
})

test("an answer that is far too large is refused, and the server goes on", async () => {
  await open("huge")
  expect((await failure(bench.ask(hover))).code).toBe("too_large")
  expect((await bench.ask(diagnostics)).items).toHaveLength(1)
  expect(await started()).toHaveLength(1)
})

test("a header without end is garbage, and the server is ended", async () => {
  await open("endless-header")
  expect(await failure(bench.ask(hover))).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("does not begin with a message header"),
  })
  expect(await alive()).toEqual([])
})

test("an answer that announces 2 GB is refused at once, and nothing is kept for it", async () => {
  await open("two-gigabytes")
  const before = process.memoryUsage.rss()
  expect(await failure(bench.ask(hover))).toMatchObject({
    code: "too_large",
    message: expect.stringContaining("it has 2048 MB"),
  })
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
})

test("a server that floods with notifications still answers, and ends with the session", async () => {
  await open("flood")
  expect((await bench.ask(hover)).text).toMatch(/^hello/)
  expect((await bench.ask(hover)).text).toMatch(/^hello/)
  expect(await started()).toHaveLength(1)
})

test("a request without an answer is a timeout, is called off, and the server goes on", async () => {
  await open("mute", { limits: { requestMs: 300 } })
  expect((await failure(bench.ask(hover))).code).toBe("timeout")
  await until(async () => (await readFile(join(notes, "messages"), "utf8")).includes("$/cancelRequest"))
  expect((await bench.ask(diagnostics)).fresh).toBe(true)
  expect(await started()).toHaveLength(1)
})

test("an abort ends the waiting at once, also while the server starts", async () => {
  await open("slow-start")
  const controller = new AbortController()
  const asked = failure(bench.ask(hover, testCall(undefined, controller.signal)))
  await until(async () => (await started()).length === 1)
  controller.abort()
  expect((await asked).code).toBe("cancelled")
})

test("a server that wants to be asked again is asked again; a refusal is reported", async () => {
  await open("again")
  expect((await bench.ask(hover)).text).toMatch(/^hello/)
  await bench.close()
  await open("refuse")
  expect(await failure(bench.ask(hover))).toMatchObject({
    code: "backend",
    message: expect.stringContaining("no thanks"),
  })
})

test("an edit that a server wants done is refused", async () => {
  await open("edit")
  await bench.ask(hover)
  await until(async () => (await readFile(join(notes, "answer"), "utf8").catch(() => "")) !== "")
  expect(JSON.parse(await readFile(join(notes, "answer"), "utf8"))).toMatchObject({ applied: false })
})

test("answers of odd shapes give what can be understood", async () => {
  await open("odd")
  expect((await bench.ask(hover)).text).toBe("one\n\ntwo")
  const places = await bench.ask({ action: "definition", path: "a.fake", line: 1, character: 1 })
  expect(places).toMatchObject({ items: [], denied: 1, text: expect.stringMatching(/^4 in libraries/) })
  expect((await failure(bench.ask({ action: "symbols", path: "a.fake" }))).code).toBe("unsupported")
})

test("published problems of the current version are fresh, and a later text has its own", async () => {
  await open("push")
  expect((await bench.ask(diagnostics)).items).toMatchObject([{ text: "first", severity: "error", line: 1 }])
  expect((await bench.ask(diagnostics)).items).toHaveLength(1)
  await bench.writeOutside("a.fake", "second\n")
  expect(await bench.ask(diagnostics)).toMatchObject({ fresh: true, items: [{ text: "second" }] })
})

test("a change of another file makes published problems void", async () => {
  await open("push")
  await bench.ask(diagnostics)
  await bench.writeOutside("b.fake", "other\n")
  await bench.ask(diagnostics)
  const versions = [...(await readFile(join(notes, "messages"), "utf8")).matchAll(/"version":(\d+)/g)].map(([, v]) => v)
  expect(versions).toEqual(["1", "2"])
})

test("of problems that come in steps the last are taken", async () => {
  await open("steps", { limits: { settleMs: 600 } })
  expect((await bench.ask(diagnostics)).items).toMatchObject([{ text: "first" }])
})

test.each(["stale", "unversioned", "silent"])("problems that are %s are not shown: no fresh result", async (mode) => {
  await open(mode, { limits: { freshMs: 300, afterWriteMs: 600 } })
  expect(await bench.ask(diagnostics)).toMatchObject({ items: [], fresh: false, text: "No fresh result" })
  await bench.write("a.fake", "second\n")
  expect(await bench.afterWrite("a.fake")).toBeUndefined()
})

test("after a write a publishing server tells what is new", async () => {
  await open("push")
  await bench.ask(diagnostics)
  await bench.write("a.fake", "second\n")
  expect(await bench.afterWrite("a.fake")).toMatchObject([{ text: "second" }])
  await bench.write("a.fake", "\nsecond\n")
  expect(await bench.afterWrite("a.fake")).toEqual([])
})

test("a server that is not asked for long is ended, and starts again", async () => {
  await open("push", { limits: { idleMs: 150 } })
  await bench.ask(hover)
  await until(async () => (await alive()).length === 0)
  expect((await bench.ask(hover)).text).toMatch(/^hello/)
  expect(await started()).toHaveLength(2)
})

test("a server that ignores every request to end is gone when the session closes", async () => {
  await open("stubborn")
  await bench.ask(hover)
  expect(await alive()).toHaveLength(1)
  await bench.servers.close()
  expect(await alive()).toEqual([])
  expect((await failure(bench.ask(hover))).code).toBe("cancelled")
})

test("installed packages that changed start the server anew; the end of the session ends it", async () => {
  await open("push")
  await bench.ask(hover)
  await mkdir(join(bench.root, "installed", "package"), { recursive: true })
  await bench.ask(hover)
  expect(await started()).toHaveLength(2)
  await bench.servers.close()
  expect(await alive()).toEqual([])
})

test("a server whose sandbox shows more than new rules allow is ended, and the next question starts another", async () => {
  const prepare: Sandboxes["prepare"] = async (request) => ({
    ...plainSandbox(request),
    holds: async ({ rulesKey }) => rulesKey === request.rulesKey || rulesKey === "as wide",
  })
  await open("push", { sandboxes: { prepare } })
  const under = (rulesKey: string) => ({ ...bench.call, grant: { ...bench.call.grant, rulesKey } })
  await bench.ask(hover, under("first"))
  expect(await bench.servers.rulesChanged(under("as wide").grant)).toEqual([])
  await bench.ask(hover, under("as wide"))
  expect(await started()).toHaveLength(1)
  expect(await bench.servers.rulesChanged(under("tighter").grant)).toMatchObject([
    { kind: "language server", reason: expect.stringContaining("tighter") },
  ])
  expect(await alive()).toEqual([])
  await bench.ask(hover, under("tighter"))
  expect(await started()).toHaveLength(2)
  // Nobody announced these rules: the question itself finds out.
  await bench.ask(hover, under("tighter still"))
  expect(await started()).toHaveLength(3)
  expect(await alive()).toHaveLength(1)
})

test("a workspace that is too large to compare is said to be", async () => {
  await open("push", { limits: { maxScanEntries: 1 } })
  expect(await bench.ask(diagnostics)).toMatchObject({
    items: [],
    fresh: false,
    text: expect.stringContaining("too large"),
  })
  expect(await bench.ask(hover)).toMatchObject({ fresh: false, text: expect.stringMatching(/^hello/) })
})

test("no server starts before the folder is trusted; the fix says how", async () => {
  await open("push", { trusted: false })
  expect(await failure(bench.ask(hover))).toMatchObject({
    code: "not_configured",
    fix: "Trust the folder with: haft trust",
  })
  expect(await started()).toEqual([])
})

test("a missing server is not configured; the fix says how to get it", async () => {
  await open("push")
  await rm(join(bench.root, fakeProgram.path))
  expect(await failure(bench.ask(hover))).toMatchObject({ code: "not_configured", fix: "Install one: make fake" })
})
