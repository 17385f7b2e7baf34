import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { scriptedPerson } from "@haft/testkit"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, sandboxIsHere, shellWorld } from "./shell-world.js"

const minutes = 300_000
const hasVenv = spawnSync("python3", ["-c", "import ensurepip, venv"]).status === 0
if (!hasVenv) console.warn("not tested here: python3 without ensurepip makes no virtual environment")

const once = () => scriptedPerson({ asks: Array(8).fill({ answer: "once" }) })

describe.skipIf(!sandboxIsHere)("[C2-82] work that a person agreed to, in the sandbox", () => {
  test.skipIf(!areHere("npm"))("npm install of a local package, and npm test", { timeout: minutes }, async () => {
    const person = once()
    await using world = await shellWorld(
      {
        "package.json": JSON.stringify({ name: "app", version: "1.0.0", scripts: { test: "node test.js" } }),
        "test.js": "console.log(require('local'))\n",
        "local/package.json": JSON.stringify({ name: "local", version: "1.0.0", main: "index.js" }),
        "local/index.js": "module.exports = 'from the local package'\n",
      },
      { person },
    )
    const install = dataOf(await world.session.call("bash", { command: "npm install --no-audit --no-fund ./local" }))
    expect(install).toMatchObject({ exit_code: 0, isolation: { level: "namespaces" } })
    const tested = dataOf(await world.session.call("bash", { command: "npm test" }))
    expect(tested.stdout).toContain("from the local package")
    expect(person.asked).toHaveLength(2)
  })

  test.skipIf(!areHere("git"))("git add, commit, branch, stash and worktree", { timeout: minutes }, async () => {
    await using world = await shellWorld({ "a.txt": "one\n" }, { person: once() })
    execFileSync("git", ["init", "-q", "-b", "main", world.root])
    const name = "-c user.name=Ann -c user.email=ann@example.org"
    for (const command of [
      "git add -A",
      `git ${name} commit -qm first`,
      "git branch other",
      `echo two > a.txt; git ${name} stash`,
      "git stash pop -q",
      "git worktree add -q tree other",
    ])
      expect(dataOf(await world.session.call("bash", { command }, { answer: "once" })), command).toMatchObject({
        exit_code: 0,
      })
    const git = (...words: string[]) => execFileSync("git", ["-C", world.root, ...words], { encoding: "utf8" })
    expect(git("log", "--format=%s")).toBe("first\n")
    expect(git("ls-files")).toBe("a.txt\n")
    expect(git("branch", "--format=%(refname:short)")).toBe("main\nother\n")
    expect(git("diff", "--name-only")).toBe("a.txt\n")
    expect(existsSync(world.path("tree/a.txt"))).toBe(true)
  })

  test.skipIf(!hasVenv)("a virtual environment of Python", { timeout: minutes }, async () => {
    await using world = await shellWorld({}, { person: once() })
    const command = "python3 -m venv env1 && env1/bin/python -c 'import sys; print(sys.prefix)'"
    const made = dataOf(await world.session.call("bash", { command }))
    expect(made.stdout).toBe(`${world.path("env1")}\n`)
  })

  test.skipIf(!areHere("cargo"))("a build with cargo", { timeout: minutes }, async () => {
    await using world = await shellWorld(
      {
        "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": 'fn main() { println!("built") }\n',
      },
      { person: once() },
    )
    const command = "cargo build --offline -q && ./target/debug/demo"
    const { stdout, stderr } = dataOf(await world.session.call("bash", { command }))
    expect({ stdout, stderr }).toEqual({ stdout: "built\n", stderr: "" })
  })
})
