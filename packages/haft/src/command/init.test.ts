import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

const userFile = (name: string, text: string) => {
  const file = join(bench.env.HOME!, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const report = async (...words: string[]) => JSON.parse((await bench.run(["init", "--json", ...words])).stdout)

describe("haft init", () => {
  test("an empty folder has nothing to translate, and nothing is written", async () => {
    const ran = await bench.run(["init"])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("No permission settings") })
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(false)
  })

  test("finds every program, tells file and line of each rule, and writes nothing", async () => {
    bench.write(
      ".claude/settings.json",
      '{\n  "permissions": {\n    "allow": ["Bash(npm test)"],\n    "deny": ["Read(./secrets/**)"]\n  }\n}',
    )
    bench.write("opencode.jsonc", '{\n  // mine\n  "permission": { "webfetch": "deny" },\n}')
    bench.write(
      ".codex/rules/team.rules",
      '# ours\nprefix_rule(pattern = ["gh", "pr"], decision = "prompt")\nnetwork_rule(host = "x")\n',
    )
    bench.write(
      ".zed/settings.json",
      '{"agent": {"tool_permissions": {"tools": {"terminal": {"always_allow": [{"pattern": "^make$"}]}}}}}',
    )
    bench.write(
      ".cursor/permissions.json",
      '{\n  "terminalAllowlist": ["cargo build"],\n  "mcpAllowlist": ["github:*"]\n}',
    )
    userFile(".cursor/cli-config.json", '{"permissions": {"allow": [], "deny": ["Shell(shutdown)"]}}')
    bench.write(".claw/settings.json", '{"permissions": {"defaultMode": "read-only", "deny": ["bash(rm:*)"]}}')
    bench.write(".mcp.json", '{"mcpServers": {"memory": {"command": "mem"}}}')
    bench.write("AGENTS.md", "Be kind.")
    bench.write(".agents/skills/notes/SKILL.md", "---\nname: notes\ndescription: Writes notes. Use for notes.\n---\nHi")
    const { files, rules, problems, servers, skills, instructions } = await report()
    expect(files).toEqual([
      ".claude/settings.json",
      "opencode.jsonc",
      ".codex/rules/team.rules",
      ".zed/settings.json",
      ".cursor/permissions.json",
      "~/.cursor/cli-config.json",
      ".claw/settings.json",
    ])
    expect(problems).toEqual([])
    expect(
      rules.map(({ file, line, result, ours }: { file: string; line: number; result: string; ours: string[] }) => [
        `${file}:${line}`,
        result,
        ...ours,
      ]),
    ).toEqual([
      [".claude/settings.json:4", "exact", "deny fs.read(secrets/**)"],
      [".claude/settings.json:3", "exact", "allow shell.run(npm test)"],
      ["opencode.jsonc:3", "exact", "deny web_fetch", "deny http_request"],
      [".codex/rules/team.rules:2", "exact", "ask shell.run(gh pr *)"],
      [".codex/rules/team.rules:3", "dropped"],
      [".zed/settings.json:1", "exact", "allow shell.run(make)"],
      ["~/.cursor/cli-config.json:1", "exact", "deny shell.run(shutdown *)"],
      [".cursor/permissions.json:2", "exact", "allow shell.run(cargo build *)"],
      [".cursor/permissions.json:3", "dropped"],
      [".claw/settings.json:1", "exact", "deny shell.run(rm *)", "deny shell.run(rm?* *)"],
      [".claw/settings.json:1", "dropped"],
    ])
    expect(servers).toEqual([{ name: "memory", state: "untrusted" }])
    expect(skills).toEqual(["notes"])
    expect(instructions).toEqual(["AGENTS.md"])
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(false)
  })

  test("--write adds to what is there, keeps comments, and what is the user's own stays out of the shared file", async () => {
    bench.write(
      "haft.jsonc",
      '{\n  // ours\n  "rules": [{ "permission": "shell.run", "pattern": "git push *", "action": "deny" }]\n}',
    )
    bench.write(".claude/settings.json", '{"permissions": {"allow": ["Bash(git push origin:*)", "Bash(npm test)"]}}')
    userFile(".claude/settings.json", '{"permissions": {"ask": ["Bash(curl:*)"]}}')
    const ran = await bench.run(["init", "--write"])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("project haft.jsonc:3 has a stricter rule") })
    expect(bench.read("haft.jsonc")).toContain("// ours")
    const shared = JSON.parse(bench.read("haft.jsonc").replace("// ours", ""))
    expect(shared.rules.map(({ pattern }: { pattern: string }) => pattern)).toEqual(["git push *", "npm test"])
    expect(shared.rules[1].why).toBe("from .claude/settings.json:1")
    expect(JSON.parse(bench.read("haft.local.jsonc")).rules).toMatchObject([{ action: "ask", pattern: "curl *" }])
    // A second time there is nothing to add.
    const before = bench.read("haft.jsonc")
    await bench.run(["init", "--write"])
    expect(bench.read("haft.jsonc")).toBe(before)
    expect((await bench.run(["explain", "bash", "command=git push origin main"])).stdout).toContain("deny")
  })

  test.each([
    ["{", 1, "no JSON"],
    ['{\n"permissions": {\n"allow": "Bash"}}', 3, "must be a list"],
    ['{\n"permissions": {"deny": ["Bash(rm:*)"],\n"deny": []}}', 3, "appears twice"],
    ['{"permissions": {"allow": ["Bash(x)",\n7]}}', 2, "must be a text"],
    [`${"[".repeat(20_000)}`, 1, ""],
    [
      `{"permissions": {"allow": [${Array.from({ length: 1500 }, (_, index) => `"Bash(x${index})"`).join(",")}]}}`,
      1,
      "more than 1000",
    ],
    ["x".repeat(1_100_000), 1, "larger than"],
  ])("a broken file is named with its line, and nothing is saved: %#", async (text, line, words) => {
    bench.write(".claude/settings.json", text)
    const { problems, rules } = await report()
    expect(rules).toEqual([])
    expect(problems).toMatchObject([{ file: ".claude/settings.json", line, reason: expect.stringContaining(words) }])
    expect((await bench.run(["init", "--write"])).code).toBe(3)
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(false)
  })

  test.each([
    ['{"terminalAllowlist": ["git",\n{}]}', 2, "must be a text"],
    ['{\n"permissions": {\n"deny": {"Shell(rm)": true}}}', 3, "must be a list"],
    [
      `{"mcpAllowlist": [${Array.from({ length: 1500 }, (_, index) => `"a:t${index}"`).join(",")}]}`,
      1,
      "more than 1000",
    ],
    [`{"terminalAllowlist": ${"[".repeat(20_000)}`, 1, ""],
    [`{"terminalAllowlist": ["${"x".repeat(1_100_000)}"]}`, 1, "larger than"],
  ])("a broken file of Cursor is named with its line, and nothing is saved: %#", async (text, line, words) => {
    bench.write(".cursor/permissions.json", text)
    const { problems, rules } = await report()
    expect(rules).toEqual([])
    expect(problems).toMatchObject([{ file: ".cursor/permissions.json", line, reason: expect.stringContaining(words) }])
    expect((await bench.run(["rule", "import", "cursor", "--write"])).code).toBe(3)
    expect(existsSync(join(bench.work, "haft.jsonc"))).toBe(false)
  })

  test("keys that programs trip over are only keys", async () => {
    bench.write(
      "opencode.json",
      '{"permission": {"__proto__": "allow", "constructor": {"x": "allow"}, "bash": {"__proto__": "allow"}}}',
    )
    const { rules } = await report()
    expect(rules.map(({ result, ours }: { result: string; ours: string[] }) => [result, ...ours])).toEqual([
      ["exact", "allow shell.run(__proto__)"],
      ["dropped"],
      ["dropped"],
    ])
  })

  test.each([
    ["prefix_rule(pattern = [1])", 1],
    ["x = 3", 1],
    ['\nprefix_rule(pattern = ["a"], decision = "maybe")', 2],
    ['prefix_rule(pattern = ["a"\n', 2],
    ['prefix_rule(pattern = ["a\n"])', 1],
    [`prefix_rule(pattern = ${"[".repeat(5000)}`, 1],
    [`prefix_rule(pattern = [${Array(12).fill('["a", "b"]').join(", ")}])`, 1],
  ])("rules of Codex that cannot be read: %#", async (text, line) => {
    bench.write(".codex/rules/x.rules", text)
    expect((await report()).problems).toMatchObject([{ file: ".codex/rules/x.rules", line }])
  })
})

describe("haft rule import", () => {
  test("reads one program alone", async () => {
    bench.write(".claude/settings.json", '{"permissions": {"allow": ["Bash(npm test)"]}}')
    bench.write("opencode.json", "{")
    const ran = await bench.run(["rule", "import", "claude", "--json"])
    expect(ran).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(ran.stdout).rules).toHaveLength(1)
    expect((await bench.run(["rule", "import", "claude", "--write"])).code).toBe(0)
    expect(JSON.parse(bench.read("haft.jsonc")).rules).toMatchObject([{ pattern: "npm test", action: "allow" }])
  })

  test("another name is refused with those that there are", async () => {
    expect(await bench.run(["rule", "import", "vim"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("claude, opencode"),
    })
  })
})
