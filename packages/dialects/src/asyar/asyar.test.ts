import { readdirSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { jsonSchemaOf, rowNamed } from "@haft/runtime"
import { afterEach, describe, expect, test } from "vitest"
import { exec } from "../../../tools/src/shell/exec/index.js"
import type { ToolBench } from "../../../tools/test/tool-bench.js"
import { openBench } from "../../../tools/test/tool-bench.js"
import { failed, output, speak } from "../../test/dialect-bench.js"
import { readText } from "../shared/tools/read-text/index.js"
import { asyar } from "./asyar.js"
import { writeText } from "./tools/write-text/index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const call = speak(asyar, [readText, writeText, exec], () => bench)
const row = (name: string) => rowNamed(asyar, `builtin:${name}`)
const open = async (files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  bench = await openBench(files)
}

test("the names on the wire are those of the launcher", () => {
  expect(asyar.tools.map(({ name }) => [name, asyar.wireName?.(name)])).toEqual(
    ["calculator", "clipboard-read", "clipboard-write", "fs-read", "fs-write", "shell-exec", "web-fetch", "search"].map(
      (id) => [`builtin:${id}`, `builtin__${id}`],
    ),
  )
  expect(asyar.wireName?.("mcp:files.server:read.it")).toBe("mcp__files--server__read--it")
})

test("the schemas have the arguments of the reference, required and not", () => {
  const shapes = asyar.tools.map(({ name, input }) => {
    const { properties = {}, required = [] } = jsonSchemaOf(input, "input") as Record<string, never>
    return [name, Object.keys(properties), required]
  })
  expect(shapes).toEqual([
    ["builtin:calculator", ["expression"], ["expression"]],
    ["builtin:clipboard-read", [], []],
    ["builtin:clipboard-write", ["text"], ["text"]],
    ["builtin:fs-read", ["path"], ["path"]],
    ["builtin:fs-write", ["path", "content"], ["path", "content"]],
    ["builtin:shell-exec", ["command", "args", "cwd"], ["command"]],
    ["builtin:web-fetch", ["url", "method", "headers", "body", "timeoutMs"], ["url"]],
    ["builtin:search", ["query", "limit"], ["query"]],
  ])
})

describe("arguments", () => {
  test.each<readonly [string, object, object]>([
    ["calculator", { expression: "1 + 1" }, { expression: "1 + 1" }],
    ["clipboard-read", {}, {}],
    ["clipboard-write", { text: "x" }, { text: "x" }],
    ["fs-read", { path: "/a" }, { path: "/a" }],
    ["fs-write", { path: "/a", content: "" }, { path: "/a", content: "" }],
    ["shell-exec", { command: "ls" }, { command: "ls", args: [] }],
    ["shell-exec", { command: "ls", args: ["-l"], cwd: "/" }, { command: "ls", args: ["-l"], cwd: "/" }],
    ["web-fetch", { url: "http://a.b" }, { url: "http://a.b", method: "GET", timeout_ms: 20_000 }],
    [
      "web-fetch",
      { url: "u", method: "PATCH", headers: { A: "b" }, body: "c", timeoutMs: 1_500.4 },
      { url: "u", method: "PATCH", headers: { A: "b" }, body: "c", timeout_ms: 1_500 },
    ],
    ["web-fetch", { url: "u", timeoutMs: 1e9 }, { url: "u", method: "GET", timeout_ms: 300_000 }],
    ["search", { query: "" }, { query: "", limit: 10 }],
    ["search", { query: "a", limit: 0 }, { query: "a", limit: 0 }],
    ["fs-read", { path: "/a", unknown: true }, { path: "/a" }],
  ])("builtin:%s takes %j", (name, input, expected) => {
    expect(row(name).toArguments(row(name).input.parse(input))).toEqual(expected)
  })

  test.each<readonly [string, object]>([
    ["calculator", {}],
    ["calculator", { expression: 1 }],
    ["clipboard-read", { text: "none is accepted" }],
    ["clipboard-write", {}],
    ["clipboard-write", { text: 1 }],
    ["fs-read", {}],
    ["fs-write", { path: "/a" }],
    ["shell-exec", { args: [] }],
    ["shell-exec", { command: "ls", args: ["a", 1] }],
    ["web-fetch", { url: "u", headers: { a: { b: "c" } } }],
    ["web-fetch", { url: "u", headers: { a: 1 } }],
    ["search", { query: "a", limit: -1 }],
    ["search", { query: "a", limit: 1.5 }],
    ["search", { limit: 1 }],
  ])("builtin:%s refuses %j", (name, input) => {
    expect(row(name).input.safeParse(input).success).toBe(false)
  })

  test.each([
    ["POST", "POST"],
    ["PUT", "PUT"],
    ["DELETE", "DELETE"],
    ["PATCH", "PATCH"],
    ["GET", "GET"],
    ["post", "GET"],
    ["HEAD", "GET"],
    ["OPTIONS", "GET"],
    ["", "GET"],
  ])("method %j is sent as %s", (method, sent) => {
    expect(row("web-fetch").toArguments({ url: "u", method })).toMatchObject({ method: sent })
  })
})

describe("values", () => {
  test.each<readonly [string, unknown, unknown]>([
    ["calculator", { result: 8 }, 8],
    ["calculator", { result: 3.14 }, 3.14],
    ["calculator", { result: "hello" }, "hello"],
    ["calculator", { result: false }, false],
    ["clipboard-read", { text: "x", source: "system" }, { text: "x" }],
    ["clipboard-read", { text: "x", source: "session", reason: "r" }, { text: "x", source: "session", reason: "r" }],
    ["clipboard-write", { ok: true, source: "session" }, { ok: true, source: "session" }],
    ["clipboard-write", { ok: true, source: "system" }, { ok: true }],
    [
      "web-fetch",
      { status: 404, status_text: "Not Found", headers: { "Content-Type": "text/html" }, body: "no", ok: false },
      { status: 404, statusText: "Not Found", headers: { "content-type": "text/html" }, body: "no", ok: false },
    ],
    [
      "search",
      { results: [{ id: "app_x", name: "X", type: "application", score: 42, more: 1 }] },
      { results: [{ id: "app_x", name: "X", type: "application", score: 42 }] },
    ],
    ["search", { results: [] }, { results: [] }],
  ])("builtin:%s: %j becomes %j", (name, data, value) => {
    expect(asyar.project(output(data), row(name), {})).toEqual({ value, success: true, text: JSON.stringify(value) })
  })

  test("a body that is not all there says so", () => {
    const data = { status: 200, status_text: "OK", headers: {}, body: "begin", ok: true }
    const metadata = { truncated: true, output_path: "/out/1" }
    expect(asyar.project(output(data, { metadata }), row("web-fetch"), {}).value).toMatchObject({
      body: "begin\n[Truncated: the whole output is in /out/1; open it with builtin__fs-read]",
    })
  })

  test("a process that took too long says so, because null alone is any signal", () => {
    const data = { stdout: "a", stderr: "b", exit_code: null, timed_out: true }
    const { value } = asyar.project(output(data), row("shell-exec"), {})
    expect(value).toEqual({
      stdout: "a",
      stderr: "b\n[The process was ended because it took too long]\n",
      exitCode: null,
    })
  })

  test("an error is its code and its message", () => {
    const error = new ToolError("not_found", "Cannot read it", { hint: "Look elsewhere" })
    expect(asyar.project(failed(error), row("fs-read"), {})).toEqual({
      value: { error: { code: "not_found", message: "Cannot read it" } },
      success: false,
      text: "Cannot read it\nLook elsewhere",
    })
  })
})

describe("on real ports", () => {
  test("fs-read gives the whole file and refuses what is not UTF-8", async () => {
    const content = `${"line\n".repeat(60_000)}end`
    await open({ "a.txt": content, "b.txt": new Uint8Array([0xff, 0x61]) })
    expect((await call("builtin:fs-read", { path: join(bench.workspace.path, "a.txt") })).value).toEqual({ content })
    expect(await call("builtin:fs-read", { path: "b.txt" })).toMatchObject({
      success: false,
      value: { error: { code: "unsupported" } },
    })
    expect((await call("builtin:fs-read", { path: "missing" })).value).toMatchObject({ error: { code: "not_found" } })
  })

  test("fs-write replaces silently, counts bytes, and makes no folder", async () => {
    await open({ "a.txt": "old" })
    const write = (path: string) => call("builtin:fs-write", { path, content: "grüße" })
    expect((await write("a.txt")).value).toEqual({ ok: true, bytesWritten: 7 })
    expect((await write("new.txt")).value).toEqual({ ok: true, bytesWritten: 7 })
    expect((await write("no/folder.txt")).value).toMatchObject({ error: { code: "not_found" } })
    expect(readdirSync(bench.workspace.path).sort()).toEqual(["a.txt", "new.txt"])
  })

  test("shell-exec: any exit is a value, a signal is null, bytes that are no UTF-8 are replaced", async () => {
    await open({ "sub/x": "" })
    const run = async (command: string, ...args: string[]) =>
      (await call("builtin:shell-exec", { command, args })).value
    expect(await run("false")).toEqual({ stdout: "", stderr: "", exitCode: 1 })
    expect(await run("sh", "-c", "echo out; echo err >&2; exit 3")).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 3,
    })
    expect(await run("sh", "-c", "kill -KILL $$")).toMatchObject({ exitCode: null })
    expect(await run("printf", "\\377")).toMatchObject({ stdout: "\ufffd" })
    expect(await run("echo", "$HOME; *")).toMatchObject({ stdout: "$HOME; *\n" })
    const inside = await call("builtin:shell-exec", { command: "ls", cwd: join(bench.workspace.path, "sub") })
    expect(inside.value).toMatchObject({ stdout: "x\n" })
  })

  test("shell-exec: only what cannot be started is an error", async () => {
    await open()
    expect(await call("builtin:shell-exec", { command: "no-such-program-here" })).toMatchObject({
      success: false,
      value: { error: { code: "not_found" } },
    })
    const started = await call("builtin:shell-exec", { command: "touch", args: ["made", 1] })
    expect(started.success).toBe(false)
    expect(readdirSync(bench.workspace.path)).toEqual([])
  })
})
