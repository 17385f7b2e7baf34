import { execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { areHere, shellWorld, until, wallIsHere } from "./shell-world.js"

/** Writes a file that no analysis of the line can see. */
const sneak = (path: string) =>
  `python3 -c "import os; os.makedirs(os.path.dirname('./${path}'), exist_ok=True); open('${path}', 'w').write('x')"`

describe.skipIf(!wallIsHere || !areHere("git", "python3"))("protected names", () => {
  test.each([".mcp.json", ".git/hooks/pre-commit", ".git/config", ".vscode/tasks.json", ".husky/pre-commit", ".envrc"])(
    "[C2-82] %s cannot be written by a program that was agreed to, and nothing is left of the guard",
    async (path) => {
      await using world = await shellWorld({ "a.txt": "" })
      execFileSync("git", ["init", "-q", world.root])
      const before = tree(world.root)
      expect((await world.run(sneak(path))).exit_code).toBe(1)
      expect(tree(world.root)).toEqual(before)
    },
  )

  test("[C2-82] absent ones stay held for a command while another one ends", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    execFileSync("git", ["init", "-q", world.root])
    const before = tree(world.root)
    const long = world.run(`touch begun; until [ -e ended ]; do sleep 0.05; done; ${sneak(".mcp.json")}; echo $?`)
    await until(() => existsSync(world.path("begun")))
    await world.run("touch short")
    await world.run("touch ended")
    expect((await long).stdout).toBe("1\n")
    expect(tree(world.root)).toEqual([...before, "begun", "ended", "short"].sort())
  })

  test("[C2-82] renaming .git away does not help", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    execFileSync("git", ["init", "-q", world.root])
    const before = tree(world.root)
    const move = `python3 -c "import os; os.rename('.git', 'old')"; ${sneak(".git/hooks/pre-commit")}; echo $?`
    const { stdout, stderr } = await world.run(move)
    expect(stdout).toBe("1\n")
    expect(stderr).toMatch(/busy|denied|read-only/i)
    expect(tree(world.root)).toEqual(before)
  })

  test("[C2-82] where there is no repository, no bare one can be slipped in with hooks of its own", async () => {
    await using world = await shellWorld({ "a.txt": "" })
    await world.run(sneak(".git/hooks/pre-commit"))
    expect(existsSync(world.path(".git/hooks/pre-commit"))).toBe(false)
    expect(tree(world.root)).toEqual(["a.txt"])
  })
})

function tree(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
}
