import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openSkills, type SkillsOptions } from "./open-skills.js"

let folder: string
let root: string
let home: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "haft-skills-")))
  root = join(folder, "home", "project")
  home = join(folder, "home")
  await mkdir(root, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, text: string): Promise<string> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

const skill = (name: string, body = "Do it.\n", more = "") =>
  `---\nname: ${name}\ndescription: Use for ${name}\n${more}---\n${body}`

const open = (options: Partial<SkillsOptions> = {}) =>
  openSkills({ roots: [root], userHome: home, configured: [], bundled: undefined, trusted: true, ...options })

async function refused(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

describe("discovery", () => {
  test("[C2-140] skills come from project, user, configured and bundled folders, in this order", async () => {
    await put("home/project/.agents/skills/a/SKILL.md", skill("a"))
    await put("home/project/.claude/skills/b/SKILL.md", skill("b"))
    await put("home/.agents/skills/c/SKILL.md", skill("c"))
    await put("home/.claude/skills/d/SKILL.md", skill("d"))
    await put("home/.config/haft/skills/e/SKILL.md", skill("e"))
    await put("more/f/SKILL.md", skill("f"))
    await put("bundled/g/SKILL.md", skill("g"))
    const skills = open({ configured: [join(folder, "more")], bundled: join(folder, "bundled") })
    expect((await skills.list()).map(({ name, source }) => [name, source])).toEqual([
      ["a", "project"],
      ["b", "project"],
      ["c", "user"],
      ["d", "user"],
      ["e", "user"],
      ["f", "configured"],
      ["g", "bundled"],
    ])
    expect(await skills.problems()).toEqual([])
  })

  test("[C2-140] the first definition of a name wins, and the other is a warning that names both", async () => {
    const first = await put("home/project/.agents/skills/a/SKILL.md", skill("a", "of the project"))
    const second = await put("home/.claude/skills/a/SKILL.md", skill("a", "of the user"))
    const skills = open()
    expect((await skills.load("A")).body).toBe("of the project")
    expect(await skills.problems()).toEqual([{ path: second, problem: expect.stringContaining(first) }])
  })

  test("folders above the root are looked at up to the root of the repository, nearest first", async () => {
    const inner = join(folder, "repository", "packages", "app")
    await mkdir(join(folder, "repository", ".git"), { recursive: true })
    await put("repository/.agents/skills/shared/SKILL.md", skill("shared", "outer"))
    await put("repository/.agents/skills/top/SKILL.md", skill("top"))
    await put("repository/packages/app/.agents/skills/shared/SKILL.md", skill("shared", "inner"))
    await put(".agents/skills/outside/SKILL.md", skill("outside"))
    const skills = open({ roots: [inner], userHome: join(folder, "elsewhere") })
    expect((await skills.list()).map(({ name }) => name)).toEqual(["shared", "top"])
    expect((await skills.load("shared")).body).toBe("inner")
  })

  test("a home that is a repository is not a project", async () => {
    await mkdir(join(home, ".git"))
    await put("home/.agents/skills/mine/SKILL.md", skill("mine"))
    expect((await open().list()).map(({ source }) => source)).toEqual(["user"])
  })

  test("skills may be in groups, and files of a skill are not skills", async () => {
    await put("home/project/.agents/skills/group/a/SKILL.md", skill("a"))
    await put("home/project/.agents/skills/group/a/examples/b/SKILL.md", skill("b"))
    await put("home/project/.agents/skills/SKILL.md", skill("skills"))
    expect((await open().list()).map(({ name }) => name)).toEqual(["a"])
  })
})

describe("links and strange files", () => {
  test("links that lead out are not followed, and this is said", async () => {
    await put("secret/SKILL.md", skill("secret"))
    await mkdir(join(root, ".agents/skills/real"), { recursive: true })
    await symlink(join(folder, "secret"), join(root, ".agents/skills/linked"))
    await symlink(join(folder, "secret/SKILL.md"), join(root, ".agents/skills/real/SKILL.md"))
    await mkdir(join(root, ".claude"))
    await symlink(join(folder, "secret"), join(root, ".claude/skills"))
    const skills = open()
    expect(await skills.list()).toEqual([])
    expect((await skills.problems()).map(({ problem }) => problem)).toEqual([
      expect.stringContaining("leads out"),
      expect.stringContaining("leads out"),
      expect.stringContaining("leads out of the project"),
    ])
  })

  test("a link to a file of the same folder is followed", async () => {
    await put("home/project/.agents/skills/a/README.md", skill("a"))
    await symlink("README.md", join(root, ".agents/skills/a/SKILL.md"))
    expect((await open().list()).map(({ name }) => name)).toEqual(["a"])
  })

  test("pipes, folders, large files and other bytes than UTF-8 in place of a skill are said and hold nothing up", async () => {
    for (const name of ["pipe", "large", "bytes"]) await mkdir(join(root, ".agents/skills", name), { recursive: true })
    await mkdir(join(root, ".agents/skills/folder/SKILL.md"), { recursive: true })
    execFileSync("mkfifo", [join(root, ".agents/skills/pipe/SKILL.md")])
    await writeFile(join(root, ".agents/skills/large/SKILL.md"), skill("large", "x".repeat(1_000_001)))
    await writeFile(join(root, ".agents/skills/bytes/SKILL.md"), Buffer.from([0x2d, 0xff, 0xfe]))
    const skills = open()
    expect(await skills.list()).toEqual([])
    expect((await skills.problems()).map(({ problem }) => problem)).toEqual([
      "in line 1: it is not UTF-8",
      "in line 1: it is not a regular file",
      "in line 1: it is larger than 1000000 bytes",
      "in line 1: it is not a regular file",
    ])
  })
})

describe("the list and the bodies", () => {
  test("[C2-141] the list does not change while the session lasts, and has no bodies", async () => {
    await put("home/project/.agents/skills/a/SKILL.md", skill("a", "SECRET BODY"))
    const skills = open()
    const before = await skills.list()
    await put("home/project/.agents/skills/b/SKILL.md", skill("b"))
    await put("home/project/.agents/skills/a/SKILL.md", skill("renamed"))
    expect(await skills.list()).toEqual(before)
    expect(before).toMatchObject([{ name: "a", description: "Use for a" }])
    expect(JSON.stringify(before)).not.toContain("SECRET BODY")
    expect((await open().list()).map(({ name }) => name)).toEqual(["renamed", "b"])
  })

  test("[C2-142] a body is read when it is asked for, and the second call gives the same one", async () => {
    const file = await put("home/project/.agents/skills/a/SKILL.md", skill("a", "old"))
    const skills = open()
    await skills.list()
    await writeFile(file, skill("a", "new"))
    expect((await skills.load("a")).body).toBe("new")
    await writeFile(file, skill("a", "newer"))
    expect((await skills.load("a")).body).toBe("new")
    await rm(file)
    expect(await skills.load("a")).toBe(await skills.load("a"))
  })

  test("a file that went away is a typed failure, and is found again when it is back", async () => {
    const file = await put("home/project/.agents/skills/a/SKILL.md", skill("a"))
    const skills = open()
    await skills.list()
    await rm(file)
    expect((await refused(skills.load("a"))).code).toBe("unavailable")
    await put("home/project/.agents/skills/a/SKILL.md", skill("a", "back"))
    expect((await skills.load("a")).body).toBe("back")
  })

  test("an unknown name is not_found with near names, or with those that there are", async () => {
    await put("home/project/.agents/skills/release-notes/SKILL.md", skill("release-notes"))
    const error = await refused(open().load("release-note"))
    expect(error).toMatchObject({ code: "not_found", hint: 'Did you mean "release-notes"?' })
    expect((await refused(open().load("../../etc/passwd"))).code).toBe("not_found")
    expect((await refused(open().load("zzz"))).hint).toBe("There are release-notes")
    expect((await refused(open({ roots: [], userHome: folder }).load("x"))).hint).toBe("There are no skills here")
  })

  test("a skill for people alone is not listed and can be loaded", async () => {
    await put("home/project/.agents/skills/a/SKILL.md", skill("a", "body", "disable-model-invocation: true\n"))
    expect(await open().list()).toEqual([])
    expect((await open().load("a")).body).toBe("body")
  })
})

describe("trust", () => {
  const tools =
    "tools:\n  - name: count\n    description: Counts\n    backend: {type: script, interpreter: sh, script: wc}\n"

  test("without trust the text of a project skill is listed and its tools are left out", async () => {
    await put("home/project/.agents/skills/a/SKILL.md", skill("a", "body", tools))
    await put("home/.agents/skills/b/SKILL.md", skill("b", "body", tools))
    const untrusted = open({ trusted: false })
    const [project, user] = await untrusted.list()
    expect(project).toMatchObject({ name: "a" })
    expect(project).not.toHaveProperty("tools")
    expect(user!.tools).toHaveLength(1)
    expect(await untrusted.problems()).toMatchObject([{ problem: expect.stringContaining("not trusted") }])
    expect((await open().list())[0]!.tools).toEqual([
      {
        name: "count",
        description: "Counts",
        parameters: {},
        backend: { type: "script", interpreter: "sh", interpreterArguments: [], script: "wc" },
      },
    ])
  })

  test("a script may be a file of the skill, but not one outside of it", async () => {
    const named = (path: string) => tools.replace("script: wc", `path: ${path}`)
    await put("home/project/.agents/skills/a/SKILL.md", skill("a", "", named("scripts/count.sh")))
    await put("home/project/.agents/skills/a/scripts/count.sh", "wc -l")
    await put("home/project/.agents/skills/b/SKILL.md", skill("b", "", named("../../../.env")))
    await put("home/project/.env", "SECRET=1")
    const skills = open()
    const [a, b] = await skills.list()
    expect(a!.tools).toMatchObject([{ backend: { script: "wc -l" } }])
    expect(b).not.toHaveProperty("tools")
    expect(await skills.problems()).toMatchObject([{ problem: expect.stringContaining("leads out") }])
  })
})
