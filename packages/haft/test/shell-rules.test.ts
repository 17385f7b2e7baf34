import { existsSync } from "node:fs"
import type { Rule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, shellWorld, wallIsHere } from "./shell-world.js"

const gitStatus: Rule = { permission: "bash", pattern: "git status", action: "allow" }

describe.skipIf(!wallIsHere || !areHere("git"))("a rule for one command line", () => {
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

describe.skipIf(!wallIsHere)("sessions side by side", () => {
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
