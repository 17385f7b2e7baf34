import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

const good =
  "---\nname: notes\ndescription: Use before a release\nallowed-tools: Read, Bash(git log:*)\n---\nRead the log.\n"

describe("haft skill list", () => {
  test("lists name, source and description, as words and as JSON", async () => {
    const path = bench.write(".agents/skills/notes/SKILL.md", good)
    const { code, stdout } = await bench.run(["skill", "list"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/SKILL +FROM +WHEN TO USE\nnotes +project +Use before a release\n/)
    const [first, ...others] = JSON.parse((await bench.run(["skill", "list", "--json"])).stdout)
    expect(others.map(({ source }: { source: string }) => source)).toEqual(["bundled"])
    expect([first]).toEqual([
      {
        name: "notes",
        description: "Use before a release",
        kind: "instruction",
        source: "project",
        path,
        tags: [],
        allowed_tools: ["Read", "Bash(git log:*)"],
        tools: [],
      },
    ])
  })

  test("says what is wrong with others, and where skills belong", async () => {
    expect((await bench.run(["skill", "list"])).stdout).toContain(".agents/skills/NAME/SKILL.md")
    bench.write(".agents/skills/bad/SKILL.md", "no front matter")
    const { code, stderr } = await bench.run(["skill", "list"])
    expect(code).toBe(0)
    expect(stderr).toContain("bad/SKILL.md: in line 1: the file must begin with a line of ---")
  })

  test("folders of the configuration are looked at", async () => {
    bench.write("more/notes/SKILL.md", good)
    mkdirSync(bench.config, { recursive: true, mode: 0o700 })
    await bench.run(["config", "set", "skills.paths", "more"])
    expect(JSON.parse((await bench.run(["skill", "list", "--json"])).stdout)).toContainEqual(
      expect.objectContaining({ name: "notes", source: "configured" }),
    )
  })
})

describe("haft skill show", () => {
  test("shows the facts and the text", async () => {
    bench.write(".agents/skills/notes/SKILL.md", good)
    const { code, stdout } = await bench.run(["skill", "show", "notes"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/asks for +Read, Bash\(git log:\*\)\n\nRead the log\.\n$/)
    expect(JSON.parse((await bench.run(["skill", "show", "notes", "--json"])).stdout)).toMatchObject({
      name: "notes",
      body: "Read the log.",
    })
  })

  test("a misspelt name is an error with the near one", async () => {
    bench.write(".agents/skills/notes/SKILL.md", good)
    const { code, stderr } = await bench.run(["skill", "show", "note"])
    expect(code).toBe(5)
    expect(stderr).toContain('Did you mean "notes"?')
  })
})

describe("haft skill check", () => {
  test("a good skill is fine, by file, by folder and among others", async () => {
    bench.write("skills/notes/SKILL.md", good)
    for (const path of ["skills/notes/SKILL.md", "skills/notes", "skills"]) {
      expect(await bench.run(["skill", "check", path])).toMatchObject({ code: 0, stdout: "the skill is fine\n" })
    }
  })

  test("a bad one exits with 7 and says each problem with its line", async () => {
    const tools =
      "tools:\n  - {name: t, description: x, parameters: {type: string}, backend: {type: script, interpreter: sh, script: x}}\n"
    const file = bench.write(
      "skills/notes/SKILL.md",
      `---\nname: notes\ndescription: |\n  a\n  b\nkind: x\n${tools}---\n`,
    )
    const { code, stdout } = await bench.run(["skill", "check", "skills"])
    expect(code).toBe(7)
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      `${file}:3: the description must be one line`,
      `${file}:6: kind must be one of instruction, persona, tool`,
      `${file}:7: in tool 1: parameters of "t" must be a JSON Schema of type object`,
    ])
    const rows = JSON.parse((await bench.run(["skill", "check", "skills", "--json"])).stdout)
    expect(rows[0]).toEqual({ file, line: 3, problem: "the description must be one line" })
  })

  test("links that lead out are problems, and a path without a skill is an error", async () => {
    bench.write("elsewhere/notes/SKILL.md", good)
    mkdirSync(join(bench.work, "skills"))
    symlinkSync("../elsewhere/notes", join(bench.work, "skills/notes"))
    const { code, stdout } = await bench.run(["skill", "check", "skills"])
    expect(code).toBe(7)
    expect(stdout).toContain("leads out")
    expect((await bench.run(["skill", "check", "nowhere"])).code).toBe(5)
    expect((await bench.run(["skill", "check"])).code).toBe(2)
  })
})
