import { existsSync } from "node:fs"
import type { Rule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, sandboxIsHere, shellWorld } from "./shell-world.js"

const gitStatus: Rule = { permission: "bash", pattern: "git status", action: "allow" }

describe.skipIf(!sandboxIsHere || !areHere("git"))("a rule for one command line", () => {
  test("covers that line", async () => {
    await using world = await shellWorld(
      { "a.txt": "" },
      { rules: [{ permission: "bash", action: "deny" }, gitStatus] },
    )
    expect(dataOf(await world.session.call("bash", { command: "git status" })).exit_code).toBe(128)
    expect((await world.session.call("bash", { command: "cat a.txt" })).metadata.error_code).toBe("denied")
  })

  test.each([
    "git status && touch x",
    "git status $(touch x)",
    "git status; touch x",
    "git status > x",
    "GIT_SSH_COMMAND='touch x' git status",
  ])("does not cover: %s", async (command) => {
    await using world = await shellWorld({}, { rules: [gitStatus] })
    const envelope = await world.session.call("bash", { command })
    expect(envelope.metadata.error_code).toBe("denied")
    expect(existsSync(world.path("x"))).toBe(false)
  })
})

describe.skipIf(!sandboxIsHere)("a deny for a program, beside an allow for every command", () => {
  test.each([
    "/bin/r[m] x",
    "exec -a q rm x",
    'env -S "rm x"',
    'bash <<< "rm x"',
    "echo rm x | sh",
    "sed '1e rm x' x",
    "echo a | sed 's/a/rm x/e'",
    `awk 'BEGIN{system("rm x")}'`,
    `python3 -c 'import os; os.system("rm x")'`,
    "git -c 'alias.p=!rm x' p",
    "find x -exec rm {} +",
    "echo x | xargs rm",
  ])("holds for %j", async (command) => {
    await using world = await shellWorld(
      { x: "" },
      {
        rules: [
          { permission: "bash", action: "allow" },
          { permission: "bash", pattern: "rm *", action: "deny" },
        ],
      },
    )
    expect((await world.session.call("bash", { command })).metadata.error_code).toBe("denied")
    expect(existsSync(world.path("x"))).toBe(true)
  })

  test("leaves other commands alone", async () => {
    await using world = await shellWorld(
      { x: "", "b.sh": "cat x\n" },
      {
        rules: [
          { permission: "bash", action: "allow" },
          { permission: "bash", pattern: "rm *", action: "deny" },
        ],
      },
    )
    expect(dataOf(await world.session.call("bash", { command: "sh b.sh && mv x y" })).exit_code).toBe(0)
    expect(existsSync(world.path("y"))).toBe(true)
  })
})

describe.skipIf(!sandboxIsHere)("an allow with a wildcard on one program", () => {
  test.each([
    ["find *", "find . -name x -delete"],
    ["sed *", "sed '1e rm x' a.txt"],
    ["env *", "env rm x"],
    ["xargs *", "echo x | xargs rm"],
  ])("bash(%s) does not let %j run", async (pattern, command) => {
    await using world = await shellWorld(
      { x: "", "a.txt": "a\n" },
      {
        rules: [
          { permission: "bash", pattern, action: "allow" },
          { permission: "bash", pattern: "echo *", action: "allow" },
        ],
      },
    )
    expect((await world.session.call("bash", { command })).metadata.error_code).toBe("denied")
    expect(existsSync(world.path("x"))).toBe(true)
  })
})

describe.skipIf(!sandboxIsHere)("sessions side by side", () => {
  test("[C2-85] [C2-93] a grant of one does not widen another that runs", async () => {
    await using world = await shellWorld(
      { ".env": "KEY=5ecret\n" },
      { rules: [{ permission: "bash", action: "allow" }] },
    )
    const read = { command: `python3 -c "import time; time.sleep(1); print(open('.env').read())"` }
    const begun = world.session.call("bash", read)
    const wider = await world.open({
      rules: [
        { permission: "bash", action: "allow" },
        { permission: "fs.read", pattern: ".env", action: "allow" },
      ],
    })
    const [narrow, wide] = await Promise.all([begun, wider.call("bash", read)])
    expect(dataOf(wide).stdout).toBe("KEY=5ecret\n\n")
    expect(dataOf(narrow)).toMatchObject({ stdout: "", exit_code: 1 })
    expect(dataOf(await world.session.call("bash", read))).toMatchObject({ stdout: "", exit_code: 1 })
  })

  test("[C2-99] a command starts in the session's directory and is judged like the tools", async () => {
    await using world = await shellWorld({ "a.txt": "", ".env": "" })
    expect(dataOf(await world.session.call("bash", { command: "pwd" })).stdout).toBe(`${world.root}\n`)
    for (const [tool, input] of [
      ["read", { file_path: ".env" }],
      ["bash", { command: "cat .env" }],
      ["exec", { command: "cat", args: [".env"] }],
    ] as readonly (readonly [string, unknown])[])
      expect((await world.session.call(tool, input)).metadata.error_code).toBe("denied")
  })
})
