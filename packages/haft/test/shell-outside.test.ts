import { existsSync } from "node:fs"
import { join } from "node:path"
import { scriptedPerson } from "@haft/testkit"
import { describe, expect, test } from "vitest"
import { shellWorld, wallIsHere } from "./shell-world.js"

describe.skipIf(!wallIsHere)("a command that writes outside the workspace, with a person there", () => {
  test.each([
    ["echo x > ../q", "../q"],
    ["touch ../q", "../q"],
    ["mkdir ../q", "../q"],
    ["echo x | tee ../q", "../q"],
    ["cp a.txt ../q", "../q"],
    ["git clone ./repository ../q", "../q"],
    ["sh a.txt > ../q", "../q"],
    ["rm ../q", "../q"],
  ])("%s asks, names the path, and does nothing when the person says no", async (command, path) => {
    const person = scriptedPerson({ asks: [{ answer: "reject", reason: "not there" }] })
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { person })
    const outside = join(world.root, path)
    const { type, metadata } = await world.session.call("bash", { command })
    expect({ type, code: metadata.error_code }).toEqual({ type: "error", code: "denied" })
    expect(person.asked).toHaveLength(1)
    const { ladder } = person.asked[0]!
    expect(ladder.reason).toContain(`outside the workspace: "${outside}"`)
    expect(ladder.findings.map(({ subject }) => subject)).toContain(outside)
    expect(existsSync(outside)).toBe(false)
  })

  test("a rule for the program is no answer for a file outside", async () => {
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { rules: [{ permission: "bash", action: "allow" }] })
    const { error_text, metadata } = (await world.session.call("bash", { command: "cp a.txt ../q" })) as never
    expect({ error_text, metadata }).toMatchObject({
      error_text: expect.stringContaining(`outside the workspace: "${join(world.root, "../q")}"`),
      metadata: { error_code: "denied" },
    })
    expect(existsSync(join(world.root, "../q"))).toBe(false)
  })

  test("mode auto answers for no file outside", async () => {
    const person = scriptedPerson({ asks: [{ answer: "reject" }] })
    await using world = await shellWorld({ "a.txt": "alpha\n" }, { person, mode: "auto" })
    await world.session.call("bash", { command: "cp a.txt inside.txt" })
    expect(person.asked).toHaveLength(0)
    await world.session.call("bash", { command: "cp a.txt ../q" })
    expect(person.asked).toHaveLength(1)
  })
})
