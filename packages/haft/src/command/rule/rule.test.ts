import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

interface Row {
  readonly action: string
  readonly rule: string
  readonly specificity: number
  readonly authority: number
  readonly source: string
  readonly ignored?: string
}
const list = async (...words: readonly string[]) =>
  JSON.parse((await bench.run(["rule", "list", "--json", "-q", ...words])).stdout) as Row[]

describe("haft rule", () => {
  test("list --defaults prints the built-in rules", async () => {
    const rows = await list("--defaults")
    expect(rows.find(({ rule }) => rule === "fs.read(**/.env)")).toMatchObject({
      action: "deny",
      authority: 3,
      source: "defaults",
    })
    expect(rows.every(({ source }) => source === "defaults")).toBe(true)
    expect((await bench.run(["rule", "list", "--defaults"])).stdout).toContain("**/.env")
  })

  test("add, list and remove in the user's file", async () => {
    expect((await bench.run(["rule", "add", "allow", "fs.write(src/**)", "--why", "mine"])).code).toBe(0)
    expect((await list()).find(({ rule }) => rule === "fs.write(src/**)")).toMatchObject({
      action: "allow",
      authority: 3,
    })
    expect((await bench.run(["rule", "remove", "deny", "fs.write(src/**)"])).code).toBe(5)
    expect((await bench.run(["rule", "remove", "fs.write(src/**)"])).code).toBe(0)
    expect((await list()).some(({ rule }) => rule === "fs.write(src/**)")).toBe(false)
  })

  test.each(["user", "project", "local", "answers"])(
    "a rule that is already in %s is said to, and is stored once",
    async (scope) => {
      const add = () => bench.run(["rule", "add", "allow", "fs.write(src/**)", "--scope", scope, "-q"])
      expect((await add()).stdout).not.toContain("already")
      const second = await add()
      expect([second.code, second.stdout]).toEqual([
        0,
        expect.stringMatching(/^allow fs\.write\(src\/\*\*\) is already in .+:\d+\n$/),
      ])
      expect((await list()).filter(({ rule }) => rule === "fs.write(src/**)")).toHaveLength(1)
    },
  )

  test.each([
    ["bash(bash x.sh)", "holds for the text that was shown"],
    ["shell.run(npm run *)", "holds for the text that was shown"],
    ["net.fetch(x.test)", "about one method"],
  ])("%s is no answer, and is among the user's own rules", async (rule, why) => {
    const refused = await bench.run(["rule", "add", "allow", rule, "--scope", "answers"])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)])
    expect(refused.stderr).toContain("--scope user")
    expect((await bench.run(["rule", "add", "allow", rule])).code).toBe(0)
    expect((await bench.run(["rule", "add", "deny", rule, "--scope", "answers"])).code).toBe(0)
  })

  test("[C2-61] answers for a project are outside of it and count as local", async () => {
    expect((await bench.run(["rule", "add", "allow", "fs.write(src/**)", "--scope", "answers"])).code).toBe(0)
    expect(readdirSync(bench.work)).toEqual([])
    const [file] = readdirSync(join(bench.config, "projects"))
    expect(readFileSync(join(bench.config, "projects", file!), "utf8")).toContain(bench.work)
    expect((await list()).find(({ rule }) => rule === "fs.write(src/**)")).toMatchObject({ authority: 2 })
  })

  test("an allow of an untrusted folder is listed as ignored", async () => {
    bench.write("haft.jsonc", '{ "rules": [ { "permission": "fs.write", "pattern": "a", "action": "allow" } ] }')
    expect((await list()).find(({ rule }) => rule === "fs.write(a)")?.ignored).toContain("not trusted")
  })

  test.each([
    [["rule", "add", "permit", "fs.read(a)"], "allow, deny or ask"],
    [["rule", "add", "allow", "fs.read("], "Cannot"],
    [["rule", "add", "allow", "bash(git push*)"], "push *"],
  ])("%j is a usage error", async (words, text) => {
    const { code, stderr } = await bench.run(words)
    expect(code).toBe(2)
    expect(stderr).toContain(text)
  })

  test("test passes for the defaults and exits 7 for a rule that fails its own sample", async () => {
    expect((await bench.run(["rule", "test"])).code).toBe(0)
    bench.write(
      "haft.jsonc",
      '{ "rules": [ { "permission": "fs.read", "pattern": "a/**", "action": "deny", "match": ["b/c"], "no_match": ["x"] } ] }',
    )
    const { code, stdout } = await bench.run(["rule", "test"])
    expect(code).toBe(7)
    expect(stdout).toContain("should match b/c")
    expect(stdout).toContain("haft.jsonc:1")
  })
})

describe("a local file in a git repository", () => {
  const addLocal = async () => (await bench.run(["rule", "add", "deny", "fs.read(a)", "--scope", "local"])).stderr
  const advice = "add haft.local.jsonc to .gitignore"

  test("that is not ignored is mentioned", async () => {
    expect(await addLocal()).not.toContain(advice)
    mkdirSync(join(bench.work, ".git"))
    expect(await addLocal()).toContain(advice)
    expect((await bench.run(["config", "set", "mode", "plan", "--scope", "local"])).stderr).toContain(advice)
    expect((await bench.run(["config", "set", "mode", "plan", "--scope", "project"])).stderr).not.toContain(advice)
  })

  test.each([
    ["haft.local.jsonc\n", true],
    ["node_modules\r\n/haft.local.jsonc\r\n", true],
    ["**/haft.local.jsonc", true],
    ["*.local.*\n", true],
    ["# haft.local.jsonc\n", false],
    ["*.jsonc\n!haft.local.jsonc\n", false],
    ["docs/haft.local.jsonc\n(.+\n[", false],
  ])("with the lines %j: ignored is %s", async (lines, ignored) => {
    mkdirSync(join(bench.work, ".git"))
    bench.write(".gitignore", lines)
    expect((await addLocal()).includes(advice)).toBe(!ignored)
  })
})
