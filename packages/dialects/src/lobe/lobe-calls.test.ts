import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fakeMemory } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { edit } from "../../../tools/src/files/edit/index.js"
import { ls } from "../../../tools/src/files/ls.js"
import { move } from "../../../tools/src/files/move/index.js"
import { read } from "../../../tools/src/files/read/index.js"
import { write } from "../../../tools/src/files/write/index.js"
import { findFiles } from "../../../tools/src/search/find-files/index.js"
import { glob } from "../../../tools/src/search/glob/index.js"
import { bash } from "../../../tools/src/shell/bash/index.js"
import { jobOutput } from "../../../tools/src/shell/job-output/index.js"
import { jobStart } from "../../../tools/src/shell/job-start/index.js"
import { jobStop } from "../../../tools/src/shell/job-stop/index.js"
import { type LoopbackBench, openLoopbackBench } from "../../../tools/test/loopback-bench.js"
import type { ToolBench } from "../../../tools/test/tool-bench.js"
import { openBench } from "../../../tools/test/tool-bench.js"
import { speak } from "../../test/dialect-bench.js"
import { dialectTools } from "../catalog.js"
import { lobe } from "./lobe.js"
import type { LobeResult } from "./to-result.js"

let bench: ToolBench | undefined
let web: LoopbackBench | undefined
afterEach(async () => {
  await bench?.close()
  await web?.close()
  bench = undefined
  web = undefined
})

const ordinary = [read, write, edit, ls, move, glob, findFiles, bash, jobStart, jobOutput, jobStop]
const call = speak(lobe, [...ordinary, ...dialectTools], () => web ?? bench!)
const open = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  bench = await openBench(files)
}
const local = (api: string, input: unknown) => answer(`lobe-local-system____${api}`, input)
const answer: (...parameters: Parameters<typeof call>) => Promise<LobeResult & { state: never }> = async (
  ...parameters
) => {
  const { value, success, text } = await call(...parameters)
  expect(value).toMatchObject({ success, content: text })
  expect(text).not.toBe("")
  return value as LobeResult & { state: never }
}
const textOf = (path: string) => readFileSync(join(bench!.workspace.path, path), "utf8")

test("files: list, read, write, edit, move, rename", async () => {
  await open({ "d/a.txt": "one\ntwo\nthree\n" })
  expect((await local("listLocalFiles", { path: "d" })).state).toMatchObject({
    files: [{ name: "a.txt", path: "d/a.txt", isDirectory: false, size: 14 }],
    totalCount: 1,
  })
  expect((await local("readLocalFile", { path: "d/a.txt", loc: [1, 2] })).state).toEqual({
    content: "two\n",
    filename: "a.txt",
    fileType: "txt",
    loc: [1, 2],
    charCount: 4,
  })
  expect((await local("readLocalFile", { path: "d/a.txt" })).state).toMatchObject({
    loc: [0, 3],
    totalCharCount: 14,
    totalLineCount: 3,
  })
  expect((await local("writeLocalFile", { path: "b.txt", content: "é" })).state).toEqual({
    bytesWritten: 2,
    success: true,
  })
  const edited = await local("editLocalFile", { file_path: "d/a.txt", old_string: "two", new_string: "2\n2" })
  expect(edited.state).toMatchObject({ replacements: 1, linesAdded: 2, linesDeleted: 1 })
  expect((edited.state as { diffText: string }).diffText).toBe("@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2\n three")
  const moved = await local("moveLocalFiles", { items: [{ oldPath: "b.txt", newPath: "e/c.txt" }] })
  expect(moved.state).toMatchObject({ results: [{ success: true }], successCount: 1 })
  expect((await local("renameLocalFile", { path: "e/c.txt", newName: "z.txt" })).state).toEqual({
    newPath: "e/z.txt",
    success: true,
  })
  expect(textOf("e/z.txt")).toBe("é")
  expect(existsSync(join(bench!.workspace.path, "b.txt"))).toBe(false)
})

test("several files at once: one that is not there does not fail the rest", async () => {
  await open({ "a.txt": "one\n", "b.txt": "two" })
  const { success, state, content } = await local("readLocalFiles", { paths: ["a.txt", "no.txt", "b.txt"] })
  expect(success).toBe(true)
  expect(state).toMatchObject({
    files: [
      { filename: "a.txt", content: "one\n" },
      { filename: "no.txt", error: expect.any(String) },
      { content: "two" },
    ],
  })
  expect(content).toContain("=== b.txt ===\n     1\ttwo")
})

test("searches: in files, by glob, by name", async () => {
  await open({ "src/a.ts": "const x = 1\n", "src/b.ts": "let x\nx = 2\n", "x.md": "" })
  const counted = await local("grepContent", { pattern: "x", output_mode: "content", glob: "*.ts" })
  expect(counted.state).toMatchObject({ totalMatches: 3 })
  expect((counted.state as { matches: string[] }).matches).toHaveLength(3)
  expect((await local("grepContent", { pattern: "const" })).state).toMatchObject({
    matches: [expect.stringMatching(/src\/a\.ts$/)],
  })
  expect((await local("globLocalFiles", { pattern: "**/*.ts" })).state).toEqual({
    files: ["src/a.ts", "src/b.ts"],
    totalCount: 2,
  })
  const found = await local("searchLocalFiles", { keywords: "", fileTypes: ["ts"], exclude: ["src/a.ts"] })
  expect(found.state).toEqual({ results: ["src/b.ts"], totalCount: 1 })
})

test("commands: to the end, and in the background until they are killed", async () => {
  await open()
  const ended = await local("runCommand", { description: "Fails", command: "echo out; exit 4" })
  expect(ended).toMatchObject({ success: true, state: { exitCode: 4, stdout: "out\n", success: false } })
  const started = await local("runCommand", {
    description: "Waits",
    command: "while true; do echo up; sleep 0.02; done",
    run_in_background: true,
  })
  const { commandId } = started.state as { commandId: string }
  expect(started.content).toContain(commandId)
  let seen = (started.state as { output: string }).output
  while (!seen.includes("up")) {
    const look = await local("getCommandOutput", { shell_id: commandId, filter: ".*up" })
    expect(look.state).toMatchObject({ durationMs: 12, success: true })
    seen += (look.state as { newOutput: string }).newOutput
  }
  expect((await local("killCommand", { shell_id: commandId })).state).toEqual({ commandId, success: true })
  expect(await local("killCommand", { shell_id: "job_none" })).toMatchObject({
    success: false,
    error: { type: "NotFound" },
  })
})

test("plans and todos live as long as the session", async () => {
  await open()
  const memory = fakeMemory()
  const gtd = (api: string, input: unknown) => answer(`lobe-gtd____${api}`, input, { memory })
  const { plan } = (await gtd("createPlan", { goal: "G", description: "D", context: "C" })).state as {
    plan: { id: string }
  }
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) }
  expect(plan).toEqual({ id: expect.any(String), completed: false, ...times })
  expect((await gtd("updatePlan", { planId: plan.id, completed: true })).state).toEqual({
    plan: { id: plan.id, completed: true, ...times },
  })
  expect(await gtd("updatePlan", { planId: "none" })).toMatchObject({
    success: false,
    error: { body: { code: "not_found" } },
  })

  expect((await gtd("createTodos", { adds: ["a", "b", "c"] })).state).toMatchObject({
    createdCount: 3,
    todos: { items: [{ status: "todo", text: "a" }, { text: "b" }, { text: "c" }], updatedAt: expect.any(String) },
  })
  const operations = [
    { type: "processing", index: 1 },
    { type: "complete", index: 0 },
    { type: "remove", index: 2 },
    { type: "update", index: 1, newText: "B" },
  ]
  expect((await gtd("updateTodos", { operations })).state).toMatchObject({
    appliedCount: 4,
    todos: {
      items: [
        { status: "completed", text: "a" },
        { status: "processing", text: "B" },
      ],
    },
  })
  const beyond = await gtd("updateTodos", {
    operations: [
      { type: "remove", index: 0 },
      { type: "complete", index: 1 },
    ],
  })
  expect(beyond).toMatchObject({ success: false, content: expect.stringContaining("nothing was changed") })
  expect((await gtd("clearTodos", { mode: "completed" })).state).toMatchObject({
    clearedCount: 1,
    todos: { items: [{ status: "processing", text: "B" }] },
  })
  expect(await memory.todos()).toEqual([{ content: "B", status: "in_progress" }])
})

test("a task needs an agent, which is not here yet", async () => {
  await open()
  expect(await answer("lobe-gtd____execTask", { description: "d", instruction: "i" })).toMatchObject({
    success: false,
    content: expect.stringContaining("this host has nothing that does its work"),
    error: { body: { code: "not_configured" } },
  })
})

test("the calculator", async () => {
  await open()
  const calculate = (api: string, input: unknown) => answer(`lobe-calculator____${api}`, input)
  expect((await calculate("base", { number: "ff", fromBase: 16, toBase: 2 })).state).toMatchObject({
    result: "11111111",
  })
  expect((await calculate("sort", { numbers: [3, "1", 2], reverse: true })).state).toMatchObject({
    result: ["3", "2", "1"],
  })
  expect(await calculate("base", { number: "xyz", fromBase: 10, toBase: 2 })).toMatchObject({ success: false })
})

test("pages: several at once, one of them missing", async () => {
  web = await openLoopbackBench((request, response) => {
    const missing = request.url === "/none"
    response.writeHead(missing ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
    response.end(
      `<html><head><title>Page ${request.url}</title></head><body><article><h1>Ä ${request.url}</h1><p>${"Words of it. ".repeat(40)}</p></article></body></html>`,
    )
  })
  const urls = ["/a", "/none", "/b"].map((path) => web!.address + path)
  const several = await call("lobe-web-browsing____crawlMultiPages", { urls })
  expect(several.value).toMatchObject({
    success: true,
    state: {
      results: [{ data: { title: "Page /a" } }, { data: { errorType: "not_found" } }, { data: { title: "Page /b" } }],
    },
  })
  expect((await call("lobe-web-browsing____crawlSinglePage", { url: urls[1] })).value).toMatchObject({
    success: false,
    error: { type: "NotFound", message: expect.stringContaining("404") },
  })
  expect((await call("lobe-web-browsing____crawlSinglePage", { url: urls[0] })).text).toContain("Ä /a")
})

test("what the model reads names the arguments of this system", async () => {
  await open({ "a.txt": "go on with offset=2\n2\n3\n4\n5\n", "b.txt": "x\nx\n" })
  const page = await local("readLocalFile", { path: "a.txt", loc: [0, 2] })
  expect(page.content).toBe("     1\tgo on with offset=2\n     2\t2\n[Lines 1 to 2; go on with loc [2, 4]]")
  expect((await local("readLocalFile", { path: "a.txt", loc: [2, 4] })).content).toContain("loc [4, 6]")
  const cut = await local("grepContent", { pattern: "x", output_mode: "content", head_limit: 1 })
  expect(cut.content).toMatch(/\[1 file; cut at 1; raise head_limit for more\]$/)
  const started = await local("runCommand", { description: "d", command: "sleep 30", run_in_background: true })
  expect(started.content).toContain("[shell_id job_1: follow it with getCommandOutput, end it with killCommand]")
})

test("a line longer than a page: the next line is a range too", async () => {
  await open({ "long.txt": `${"x".repeat(300_000)}\nlast\n` })
  const { content } = await local("readLocalFile", { path: "long.txt" })
  expect(content.slice(-60)).toMatch(/go on with loc \[1, 201\]\]$/)
  expect(content.slice(-200)).not.toContain("offset")
})

test("grepContent: lines around a match are shown and not counted; a count names its files", async () => {
  await open({ "a.txt": "one\ntwo\nthree\n" })
  const around = await local("grepContent", { pattern: "two", output_mode: "content", "-C": 1 })
  expect(around.state).toMatchObject({ matches: { length: 3 }, totalMatches: 1 })
  const counted = await local("grepContent", { pattern: "t", output_mode: "count" })
  expect(counted.state).toMatchObject({ matches: [join(bench!.workspace.path, "a.txt")], totalMatches: 2 })
})

test.each(["/w/src", "~/src", "C:\\src"])(
  "searchLocalFiles does not pass over exclude %s in silence",
  async (place) => {
    await open({ "src/a.txt": "" })
    const { error } = await local("searchLocalFiles", { keywords: "a", exclude: [place] })
    expect(error?.message).toContain("name it from the workspace")
  },
)

test("updateTodos: states in the words of this system, and an update that changes nothing is an error", async () => {
  await open()
  const memory = { memory: fakeMemory() }
  await answer("lobe-gtd____createTodos", { adds: ["a", "b [pending]"] }, memory)
  const changed = await answer("lobe-gtd____updateTodos", { operations: [{ type: "processing", index: 1 }] }, memory)
  expect(changed.content).toContain("0. [todo] a\n1. [processing] b [pending]")
  const nothing = await answer("lobe-gtd____updateTodos", { operations: [{ type: "update", index: 0 }] }, memory)
  expect(nothing.error?.message).toContain("newText or status")
})

test("sort: the modes are in the definition, and another one is refused under the name that was called", async () => {
  await open()
  const { error } = await answer("lobe-calculator____sort", { numbers: [2, 1], mode: "median" })
  expect(error?.message).toContain('"lobe-calculator____sort"')
  expect((await answer("lobe-calculator____sort", { numbers: [2, 1], mode: "smallest" })).content).toBe("1")
})
