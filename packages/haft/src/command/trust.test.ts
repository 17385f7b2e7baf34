import { PassThrough } from "node:stream"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"
import { main } from "./main.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

/** Runs at a terminal and types the answer when asked. */
async function typing(words: readonly string[], answer: string): Promise<{ code: number; shown: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const stdout = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  let shown = ""
  stderr.on("data", (piece) => {
    const asked = !shown.includes("Type yes") && String(shown + piece).includes("Type yes")
    shown += String(piece)
    if (asked) setImmediate(() => stdin.write(answer))
  })
  stdout.resume()
  const code = await main(words, {
    stdin,
    stdout,
    stderr,
    env: { ...bench.env, TERM: "dumb" },
    cwd: bench.work,
    managedFile: bench.managedFile,
  })
  return { code, shown }
}

const mode = async () => JSON.parse((await bench.run(["config", "get", "mode", "--json", "-q"])).stdout) as string
const activeRules = async () =>
  JSON.parse((await bench.run(["config", "get", "rules", "--json", "-q"])).stdout) as { pattern: string }[]

describe("haft trust", () => {
  test("shows what would be taken, and takes it after yes", async () => {
    bench.write(
      "haft.jsonc",
      '{\n  "mode": "accept-edits",\n  "rules": [ { "permission": "fs.write", "pattern": "src/**", "action": "allow" } ]\n}',
    )
    expect(await mode()).toBe("ask")
    const { code, shown } = await typing(["trust"], "yes\n")
    expect(code).toBe(0)
    expect(shown).toContain("allow fs.write(src/**)")
    expect(shown).toContain('mode = "accept-edits"')
    expect(await mode()).toBe("accept-edits")
    expect(await activeRules()).toHaveLength(1)
  })

  test("each untrusted file has one note, which names what it says and the command that trusts it", async () => {
    bench.write(
      "haft.jsonc",
      `{ "mode": "auto", "env": ["A"], "sandbox": "off", "readable": ["/a"],
         "rules": [ { "permission": "fs.write", "pattern": "a", "action": "allow" },
                    { "permission": "fs.write", "pattern": "b", "action": "allow" } ] }`,
    )
    const [c, d] = ["c", "d"].map((pattern) => ({ permission: "fs.write", pattern, action: "allow" }))
    bench.write("haft.local.jsonc", JSON.stringify({ rules: [c] }))
    const untrusted = `ignored: the folder is not trusted; to trust it: haft trust ${bench.work}`
    const { stderr } = await bench.run(["config", "get", "mode"])
    expect(stderr.trimEnd().split("\n")).toEqual([
      `note: haft.jsonc: mode, env and 2 allow rules are ${untrusted}; sandbox and readable are ignored: reserved for your own configuration`,
      `note: haft.local.jsonc: 1 allow rule is ${untrusted}`,
    ])
    bench.write("haft.local.jsonc", JSON.stringify({ rules: [c, d] }))
    expect((await bench.run(["config", "get", "mode"])).stderr).toContain(
      `note: haft.local.jsonc: 2 allow rules are ${untrusted}`,
    )
  })

  test("anything but yes leaves it untrusted", async () => {
    bench.write("haft.jsonc", '{ "mode": "auto" }')
    for (const answer of ["no\n", "y\n", "\n", "\u0004"]) expect((await typing(["trust"], answer)).code).toBe(6)
    expect(await mode()).toBe("ask")
  })

  test("is never given without a terminal", async () => {
    const { code, stderr } = await bench.run(["trust"], { input: "yes\n" })
    expect(code).toBe(6)
    expect(stderr).toContain("not a terminal")
  })

  test("a changed entry is inactive until it is seen, the others stay", async () => {
    bench.write("haft.jsonc", '{ "rules": [ { "permission": "fs.write", "pattern": "a", "action": "allow" } ] }')
    await typing(["trust"], "yes\n")
    const both =
      '{ "rules": [ { "permission": "fs.write", "pattern": "**", "action": "allow" }, { "permission": "fs.write", "pattern": "a", "action": "allow" } ] }'
    bench.write("haft.jsonc", both)
    expect((await activeRules()).map(({ pattern }) => pattern)).toEqual(["a"])
    const { shown } = await typing(["trust"], "yes\n")
    expect(shown).toMatch(/allow fs\.write\(\*\*\) +new/)
    expect(await activeRules()).toHaveLength(2)
  })

  test("covers the tools of a skill as they were shown; a changed script is left out until it is seen", async () => {
    const skill = (script: string) =>
      `---\nname: release\ndescription: Use before a release\ntools:\n  - {name: greet, description: x, parameters: {type: object}, backend: {type: script, interpreter: sh, script: '${script}'}}\n---\nText\n`
    const tools = async () =>
      (JSON.parse((await bench.run(["skill", "list", "--json"])).stdout) as { name: string; tools: string[] }[]).find(
        ({ name }) => name === "release",
      )?.tools
    bench.write(".agents/skills/release/SKILL.md", skill("echo one"))
    expect(await tools()).toEqual([])
    const { shown } = await typing(["trust"], "yes\n")
    expect(shown).toContain("skill release brings greet (script)")
    expect(await tools()).toEqual(["greet"])
    bench.write(".agents/skills/release/SKILL.md", skill("echo two"))
    expect(await tools()).toEqual([])
    expect((await bench.run(["call", "skill__release__greet", "--yes"])).code).toBe(2)
  })

  test("can be listed and taken back", async () => {
    bench.write("haft.jsonc", '{ "mode": "auto" }')
    expect((await bench.run(["trust", "--list"])).stdout).toContain("No folder is trusted")
    await typing(["trust"], "yes\n")
    expect((await bench.run(["trust", "--list"])).stdout).toContain(bench.work)
    expect((await bench.run(["trust", "--remove"])).stdout).toContain("no longer trusted")
    expect(await mode()).toBe("ask")
    expect((await bench.run(["trust", "--remove"])).stdout).toContain("was not trusted")
  })

  test("a file inside the folder cannot trust it", async () => {
    bench.write("haft.jsonc", '{ "trust": true }')
    expect((await bench.run(["config", "get"])).code).toBe(3)
  })

  test("a missing folder is a usage error", async () => {
    expect((await bench.run(["trust", "nowhere"])).code).toBe(2)
  })
})
