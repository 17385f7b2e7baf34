import { type StdioOptions, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { beyondOpenRules, evadingPush, evadingRm, stillSettled } from "../../test/commands/evading-commands.js"
import { rule } from "../../test/world.js"

const denies = [rule("user", "deny", "bash(rm *)"), rule("user", "deny", "bash(git push *)")]
const verdictOf = async (rules: readonly string[], line: string) => {
  const allows = rules.map((text) => rule("flag", "allow", text === "bash" ? text : `bash(${text})`))
  return (await judgeLine([...allows, ...(rules.includes("bash") ? denies : [])], line)).judgement.verdict
}

describe("a deny for a program by its name, beside an allow for every command", () => {
  const rows = [...evadingRm.real, ...evadingRm.other, ...evadingPush]
  test.each(rows)("%j is not let through: %s", async (line, verdict) => {
    expect(await verdictOf(["bash"], line)).toBe(verdict)
  })

  test("an allow for exactly this command, as strong as the deny, settles the doubt", async () => {
    const line = `python3 -c 'import os; os.system("rm x")'`
    const exact = rule("user", "allow", `bash(${`python3 -c 'import os; os.system("rm x")'`})`)
    expect((await judgeLine([exact, ...denies], line)).judgement.verdict).toBe("allow")
    const weak = { ...exact, source: { scope: "project" as const } }
    expect((await judgeLine([weak, ...denies], line)).judgement.verdict).toBe("ask")
  })

  test("the question names the deny that is in doubt", async () => {
    const { judgement } = await judgeLine([rule("user", "allow", "bash"), ...denies], "cat f | sh")
    expect(judgement).toMatchObject({ verdict: "ask", written: true })
    expect(judgement.reason).toBe('it cannot be known whether bash of "sh" runs what bash(git push *) (user) denies')
  })
})

describe("an allow with a wildcard on one program", () => {
  test.each(beyondOpenRules)("bash(%s) does not settle %j", async (open, line) => {
    expect(await verdictOf([open], line)).toBe("ask")
  })

  test("settles it together with an allow for what is deleted or fetched", async () => {
    const deletes = rule("flag", "allow", "fs.delete(**)")
    const open = (text: string) => rule("flag", "allow", `bash(${text})`)
    expect((await judgeLine([open("mv *"), deletes], "mv a b")).judgement.verdict).toBe("allow")
    expect((await judgeLine([open("rm *"), deletes], "rm x")).judgement.verdict).toBe("allow")
    expect((await judgeLine([open("find *"), deletes], "find . -delete")).judgement.verdict).toBe("allow")
    const rm = rule("flag", "allow", "shell.run(rm *)")
    expect((await judgeLine([open("xargs *"), rm, deletes], "xargs -I{} rm x")).judgement.verdict).toBe("allow")
  })
})

describe("what is named stays settled", () => {
  test.each(stillSettled)("%j allows %j", async (rules, line) => {
    expect(await verdictOf(rules, line)).toBe("allow")
  })
})

describe.skipIf(spawnSync("bash", ["-c", ":"]).status !== 0)("bash really removes the file", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "haft-evading-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(evadingRm.real)("%j", (line) => {
    const place = mkdtempSync(join(folder, "w-"))
    writeFileSync(join(place, "x"), "")
    // No socket as input: the first shell of a session then takes itself for one of sshd and reads no BASH_ENV.
    const stdio: StdioOptions = ["ignore", "pipe", "pipe"]
    const { stderr } = spawnSync("timeout", ["-s", "KILL", "20", "bash", "-c", line], { cwd: place, stdio })
    expect(existsSync(join(place, "x")), stderr.toString()).toBe(false)
  })
})
