import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionPorts } from "@haft/contract"
import { createClipboard, createLauncherIndex } from "@haft/desktop"
import { testCall } from "@haft/testkit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { clipboardRead } from "../../../tools/src/launcher/clipboard-read.js"
import { clipboardWrite } from "../../../tools/src/launcher/clipboard-write.js"
import { indexSearch } from "../../../tools/src/launcher/index-search.js"
import { openBench, type ToolBench } from "../../../tools/test/tool-bench.js"
import { speak } from "../../test/dialect-bench.js"
import { asyar } from "./asyar.js"
import { evalexpr } from "./tools/evalexpr/index.js"

let bench: ToolBench
let home: string
let close: () => Promise<void>

// One worker computes for all of them.
beforeAll(async () => {
  bench = await openBench({ "report.md": "" })
  home = await mkdtemp(join(tmpdir(), "haft-launcher-"))
  const clipboard = createClipboard({ environment: {} })
  const launcher = createLauncherIndex({
    databaseFile: join(home, "usage.json"),
    applicationFolders: [],
    roots: [bench.workspace.path],
    commands: [{ id: "cmd_report", name: "Report" }],
    tools: [],
    skills: async () => [],
  })
  close = launcher.close
  const ports: SessionPorts = { ...bench.ports, clipboard: () => clipboard, index: launcher.index }
  const real = bench
  bench = {
    ...real,
    async run(tool, input, options) {
      const call = testCall(tool, ports, options)
      const { execute } = await tool.execute()
      const data = tool.manifest.output.parse(await execute(input as never, call.context as never))
      return { ...call, data, content: tool.present(data, input as never), text: "" }
    },
  }
})

afterAll(async () => {
  await close()
  await bench.close()
  await rm(home, { recursive: true, force: true })
})

const call = speak(asyar, [evalexpr, clipboardRead, clipboardWrite, indexSearch], () => bench)

test.each<readonly [string, unknown]>([
  ["2 + 2 * 3", 8],
  ["6.28 / 2", 3.14],
  ["1 < 2", true],
  ['"hello"', "hello"],
])("builtin:calculator: %s is %j", async (expression, value) => {
  expect(await call("builtin:calculator", { expression })).toMatchObject({ value, success: true })
})

test.each(["", "1, 2", "2 +", "(1"])("builtin:calculator: %j is an error, not a value", async (expression) => {
  const { value, success } = await call("builtin:calculator", { expression })
  expect(success).toBe(false)
  expect(value).toEqual({ error: { code: "invalid_args", message: expect.any(String) } })
})

test("builtin:clipboard-write replaces what builtin:clipboard-read gives", async () => {
  // Nothing here has a display, and the result says that the user cannot paste it.
  const buffer = { source: "session", reason: expect.any(String) }
  expect((await call("builtin:clipboard-write", { text: "one" })).value).toEqual({ ok: true, ...buffer })
  expect((await call("builtin:clipboard-write", { text: "zwei ✓" })).value).toEqual({ ok: true, ...buffer })
  expect((await call("builtin:clipboard-write", { text: 1 })).success).toBe(false)
  expect((await call("builtin:clipboard-read", {})).value).toEqual({ text: "zwei ✓", ...buffer })
})

test("builtin:search: best first, up to the limit, 0 is none", async () => {
  const { value } = await call("builtin:search", { query: "report" })
  const { results } = value as { results: { id: string; name: string; type: string; score: number }[] }
  expect(results.map(({ type }) => type).sort()).toEqual(["command", "file"])
  expect(Object.keys(results[0]!)).toEqual(["id", "name", "type", "score"])
  expect(results[0]!.score).toBeGreaterThanOrEqual(results[1]!.score)
  expect((await call("builtin:search", { query: "report", limit: 1 })).value).toMatchObject({ results: [{}] })
  expect((await call("builtin:search", { query: "report", limit: 0 })).value).toEqual({ results: [] })
  expect((await call("builtin:search", { query: "report", limit: -1 })).success).toBe(false)
})
