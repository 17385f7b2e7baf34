import { createRegistry, rowNamed } from "@haft/runtime"
import { expect, test } from "vitest"
import { resolve } from "../../runtime/src/call/call-request.js"
import { catalog } from "../../tools/src/catalog.js"
import { failure } from "../../tools/test/failure.js"
import { asyar } from "./asyar/asyar.js"
import { dialectTools } from "./catalog.js"
import { claw } from "./claw/claw.js"
import { type DialectName, dialectNames, loadDialect } from "./dialects.js"

test.each(dialectNames)("%s loads under its name, and its names are different", async (name) => {
  const dialect = await loadDialect(name)
  expect(dialect.name).toBe(name)
  const names = dialect.tools.map((row) => row.name)
  expect(new Set(names).size).toBe(names.length)
  for (const row of dialect.tools) expect(row.description, row.name).not.toBe("")
})

test.each<readonly [DialectName, number]>([
  ["asyar", 8],
  ["claw", 19],
  ["a3s", 12],
])("%s has the %i names of its system", async (name, count) => {
  expect((await loadDialect(name)).tools).toHaveLength(count)
})

test("names on the wire fit every provider and stay different", async () => {
  for (const name of dialectNames) {
    const dialect = await loadDialect(name)
    const wired = dialect.tools.map((row) => dialect.wireName?.(row.name) ?? row.name)
    expect(wired.filter((wire) => !/^[a-zA-Z0-9_-]{1,64}$/.test(wire))).toEqual([])
    expect(new Set(wired).size).toBe(wired.length)
  }
})

test.each(["klaw", "", "constructor", "__proto__"])("the dialect %j does not exist", async (name) => {
  const error = await failure(loadDialect(name))
  expect(error.code).toBe("invalid_args")
  expect(error.message).toContain("use haft, asyar, claw, a3s, lobe")
})

test("a tool is found by its name, its wire name and its alias", () => {
  expect(rowNamed(asyar, "builtin:calculator").tool).toBe("evalexpr")
  expect(rowNamed(asyar, "builtin__calculator").name).toBe("builtin:calculator")
  expect(rowNamed(claw, "Brief").name).toBe("SendUserMessage")
  expect(() => rowNamed(claw, "Bash")).toThrow('Cannot call "Bash"')
})

test("every row names a tool that there is; the agent is not built yet and its row says so", async () => {
  const registry = createRegistry([...catalog, ...dialectTools])
  for (const dialect of [asyar, claw]) {
    const ids = dialect.tools.flatMap(({ tool }) =>
      typeof tool === "string" ? [tool] : [tool({}), tool({ run_in_background: true })],
    )
    expect(ids.filter((id) => registry.find(id) === undefined && id !== "task")).toEqual([])
  }
  const call = { name: "Agent", arguments: { description: "d", prompt: "p" }, dialect: claw }
  expect(() => resolve(call, createRegistry([]))).toThrow(
    'Cannot call "Agent": this host has nothing that does its work',
  )
})
