import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

const userFile = (text: string) => {
  mkdirSync(bench.config, { recursive: true, mode: 0o700 })
  writeFileSync(join(bench.config, "config.jsonc"), text, { mode: 0o600 })
}
const get = async (key: string, env = {}) =>
  JSON.parse((await bench.run(["config", "get", key, "--json", "--quiet"], { env })).stdout) as unknown

describe("haft config", () => {
  test("every source in its order", async () => {
    expect(await get("mode")).toBe("ask")
    userFile('{ "mode": "auto" }')
    expect(await get("mode")).toBe("auto")
    bench.write("haft.jsonc", '{ "mode": "accept-edits" }')
    expect(await get("mode")).toBe("accept-edits")
    bench.write("haft.local.jsonc", '{ "mode": "ask" }')
    expect(await get("mode")).toBe("ask")
    expect(await get("mode", { HAFT_MODE: "plan" })).toBe("plan")
    expect(await get("mode", { HAFT_MODE: "auto" })).toBe("ask")
    writeFileSync(bench.managedFile, '{ "mode": "plan" }', { mode: 0o600 })
    expect(await get("mode")).toBe("plan")
  })

  test("explain says of a setting that nothing sets that it is not set", async () => {
    const { stdout } = await bench.run(["config", "explain", "readable"])
    expect(stdout.split("\n")[0]).toBe("readable is not set")
    expect((await bench.run(["config", "explain", "limits.grep"])).stdout).not.toContain("null")
  })

  test("HAFT_CONFIG replaces the user's file", async () => {
    userFile('{ "mode": "plan" }')
    const other = join(bench.work, "..", "other.jsonc")
    writeFileSync(other, '{ "mode": "accept-edits" }', { mode: 0o600 })
    expect(await get("mode", { HAFT_CONFIG: other })).toBe("accept-edits")
  })

  test("explain names the file that won, and what was ignored and why", async () => {
    userFile('{\n  "mode": "accept-edits"\n}')
    bench.write("haft.jsonc", '{\n\n  "mode": "auto"\n}')
    const { code, stdout } = await bench.run(["config", "explain", "mode"], { env: { HAFT_MODE: "auto" } })
    expect(code).toBe(0)
    expect(stdout).toContain('mode = "accept-edits"')
    expect(stdout).toMatch(/config\.jsonc:2 +"accept-edits" +wins/)
    expect(stdout).toMatch(/haft\.jsonc:3 +"auto" +ignored: the folder is not trusted/)
    expect(stdout).toMatch(/HAFT_MODE +"auto" +ignored: environment variables may only tighten/)
    const { winner } = JSON.parse((await bench.run(["config", "explain", "mode", "--json"])).stdout) as {
      winner: string
    }
    expect(winner).toMatch(/config\.jsonc:2$/)
  })

  test("set writes the user's file, comments kept, and get reads it back", async () => {
    userFile('{\n  // mine\n  "mode": "plan"\n}\n')
    expect((await bench.run(["config", "set", "limits.grep", "50"])).code).toBe(0)
    expect(readFileSync(join(bench.config, "config.jsonc"), "utf8")).toContain("// mine")
    expect(await get("limits.grep")).toBe(50)
    expect((await bench.run(["config", "set", "env", "A,B"])).code).toBe(0)
    expect(await get("env")).toEqual(["A", "B"])
  })

  test("set --scope project writes haft.jsonc in the folder", async () => {
    expect((await bench.run(["config", "set", "mode", "plan", "--scope", "project"])).code).toBe(0)
    expect(JSON.parse(bench.read("haft.jsonc"))).toEqual({ mode: "plan" })
  })

  test.each([
    [["config", "get", "moed"], 2, "Did you mean mode"],
    [["config", "set", "mode", "fast"], 2, "it must be one of"],
    [["config", "set", "box.minIsolation", "jail"], 2, "it must be one of vm, vm-emulated, container"],
    [
      ["config", "set", "box.minIsolation", "gvisor"],
      2,
      "it was removed, because it never ran an image; it must be one of vm, vm-emulated, container",
    ],
    [
      ["config", "set", "box.minIsolation", "namespace"],
      2,
      "it was removed, because it isolates less than bash; it must be one of vm, vm-emulated, container",
    ],
    [
      ["config", "set", "webSearch.provider", "nonsense"],
      2,
      "it must be one of ddg, wiki, brave, sogou, so360, searxng, tavily",
    ],
    [["config", "set", "toolset", "locked,cod"], 2, "each one of locked, code, launcher, system, all"],
    [["config", "set", "limits.grep", "many"], 2, "whole number"],
    [["config", "set", "rules", "[]"], 2, "haft rule add"],
    [["config", "explain", "rules"], 2, "haft rule list"],
    [["config", "set", "limits.*", "5"], 2, "put a name"],
    [["config", "set", "sandbox", "off", "--scope", "project"], 2, "only your own configuration"],
    [["config", "explain", "constructor"], 2, "there is no such key"],
  ])("%j exits %i: %s", async (words, code, text) => {
    const ran = await bench.run(words)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(text)
  })

  test.each([
    ["user", () => userFile("{ nonsense")],
    ["project", () => bench.write("haft.jsonc", "{ nonsense")],
    ["local", () => bench.write("haft.local.jsonc", '{ "ruels": [] }')],
    ["managed", () => writeFileSync(bench.managedFile, "[]", { mode: 0o600 })],
    ["directory", () => mkdirSync(join(bench.work, "haft.jsonc/folder"), { recursive: true })],
  ])("a %s file that cannot be used exits 3", async (_name, make) => {
    make()
    const { code, stderr, stdout } = await bench.run(["config", "get"])
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toMatch(/Cannot (use|read)/)
  })

  test("a variable that looks misspelt and a setting that does not hold are said aloud, unless quiet", async () => {
    const env = { HAFT_MOED: "plan", HAFT_SANDBOX: "off" }
    const { stderr } = await bench.run(["config", "get", "mode"], { env })
    expect(stderr).toContain("did you mean HAFT_MODE?")
    expect(stderr).toContain("HAFT_SANDBOX: sandbox is ignored: environment variables may only tighten")
    expect((await bench.run(["config", "get", "mode", "-q"], { env })).stderr).toBe("")
  })

  test("a place inside a root or open to others exits 3", async () => {
    expect((await bench.run(["config", "get"], { env: { HAFT_HOME: join(bench.work, "state") } })).code).toBe(3)
    userFile("{}")
    chmodSync(join(bench.config, "config.jsonc"), 0o666)
    const { code, stderr } = await bench.run(["config", "get"])
    expect(code).toBe(3)
    expect(stderr).toContain("chmod 600")
  })

  test("limits of an untrusted folder count only where they are smaller than the tool's own", async () => {
    bench.write("haft.jsonc", '{ "limits": { "grep": 50, "glob": 100000 } }')
    expect(await get("limits.grep")).toBe(50)
    expect(await get("limits.glob")).toBe(null)
  })
})

describe("what silently would not hold", () => {
  test("HAFT_CONFIG that names no file stops the start", async () => {
    const { code, stderr } = await bench.run(["config", "get"], { env: { HAFT_CONFIG: "/nowhere/x.jsonc" } })
    expect(code).toBe(3)
    expect(stderr).toContain("HAFT_CONFIG names it")
  })

  test("misspelt permissions are said aloud", async () => {
    userFile('{ "rules": [ { "permission": "fs.raed", "pattern": "a", "action": "deny" } ] }')
    const { stderr } = await bench.run(["config", "get", "mode"])
    expect(stderr).toContain("did you mean fs.read?")
  })

  test("a limit for an unknown tool stops the start and names the nearest tool", async () => {
    const set = await bench.run(["config", "set", "limits.gerp", "5"])
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('"limits.grep"')])
    const fromEnvironment = await bench.run(["config", "get", "mode", "-q"], { env: { HAFT_LIMIT_GERP: "5" } })
    expect([fromEnvironment.code, fromEnvironment.stderr]).toEqual([3, expect.stringContaining("HAFT_LIMIT_GERP")])
    userFile('{ "limits": { "server:tool": 5, "gerp": 5 } }')
    const { code, stderr } = await bench.run(["config", "get", "mode", "-q"])
    expect(code).toBe(3)
    expect(stderr).toContain('Cannot use "limits.gerp"')
    expect(stderr).toContain('Did you mean "limits.grep"?')
  })
})
