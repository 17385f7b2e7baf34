import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { addRule, removeRules, setSetting } from "./edit-config-file.js"

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-edit-"))
  path = join(folder, "deep", "config.jsonc")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = () => readFileSync(path, "utf8")

describe("editing a configuration file", () => {
  test("makes file and folder for the user alone", () => {
    setSetting({ path, scope: "user" }, "limits.grep", 50)
    expect(JSON.parse(read())).toEqual({ limits: { grep: 50 } })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700)
  })

  test("keeps comments, order and the rest", () => {
    path = join(folder, "config.jsonc")
    writeFileSync(
      path,
      '{\n  // mine\n  "model": "a:b", // good\n  "rules": [\n    // first\n    { "permission": "bash", "action": "ask" }\n  ]\n}\n',
    )
    setSetting({ path, scope: "user" }, "mode", "plan")
    const { line } = addRule({ path, scope: "user" }, { permission: "fs.read", pattern: "x", action: "deny" })
    expect(read()).toContain("// mine")
    expect(read()).toContain("// good")
    expect(read()).toContain("// first")
    expect(read().split("\n")[line - 1]).toContain("{")
    expect(removeRules({ path, scope: "user" }, ({ permission }) => permission === "fs.read")).toBe(1)
    expect(read()).not.toContain("fs.read")
    expect(read()).toContain('"bash"')
  })

  test("a shared file keeps its mode, and a link is written through", () => {
    const real = join(folder, "real.jsonc")
    writeFileSync(real, "{}\n")
    chmodSync(real, 0o644)
    path = join(folder, "haft.jsonc")
    symlinkSync(real, path)
    setSetting({ path, scope: "project" }, "mode", "plan")
    expect(statSync(real).mode & 0o777).toBe(0o644)
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ mode: "plan" })
  })

  test("a file that does not parse is left as it is", () => {
    path = join(folder, "config.jsonc")
    writeFileSync(path, '{ "mode": ')
    expect(() => setSetting({ path, scope: "user" }, "mode", "plan")).toThrow("Cannot use")
    expect(read()).toBe('{ "mode": ')
  })

  test("several rules go at once, from any place in the list", () => {
    path = join(folder, "config.jsonc")
    for (const [index, permission] of ["a", "b", "a", "c", "a"].entries())
      addRule({ path, scope: "user" }, { permission, pattern: `f${index}`, action: "deny" })
    expect(removeRules({ path, scope: "user" }, ({ permission }) => permission === "a")).toBe(3)
    expect(
      (JSON.parse(read()) as { rules: { permission: string }[] }).rules.map(({ permission }) => permission),
    ).toEqual(["b", "c"])
  })

  test("a rule that stands already is found and not written again", () => {
    const file = { path, scope: "user" } as const
    const first = addRule(file, { permission: "bash", pattern: "ls", action: "allow" })
    const text = read()
    expect(addRule(file, { permission: "bash", pattern: "ls", action: "allow", why: "again" })).toEqual({
      line: first.line,
      added: false,
    })
    expect(read()).toBe(text)
  })

  test.each([
    [{ permission: "bash", pattern: "ls", action: "deny" }],
    [{ permission: "bash", pattern: "ls -l", action: "allow" }],
    [{ permission: "shell.run", pattern: "ls", action: "allow" }],
    [{ permission: "bash", action: "allow" }],
    [{ permission: "bash", pattern: "ls", action: "allow", recipe: "sha256:1" }],
  ] as const)("a rule that says something else is written: %j", (rule) => {
    const file = { path, scope: "user" } as const
    addRule(file, { permission: "bash", pattern: "ls", action: "allow" })
    expect(addRule(file, rule).added).toBe(true)
  })

  test("every way to write a rule about everything is the same rule", () => {
    const file = { path, scope: "user" } as const
    addRule(file, { permission: "todo", action: "allow" })
    for (const pattern of ["*", "**"]) {
      expect(addRule(file, { permission: "todo", pattern, action: "allow" }).added).toBe(false)
    }
  })
})
