import { scriptedPerson } from "@haft/testkit"
import { describe, expect, test } from "vitest"
import { dataOf, sandboxIsHere, shellWorld } from "./shell-world.js"

const sandbox = { unconfined: ["hostname"] }
const rules = [{ permission: "bash", action: "allow" }] as const

describe.skipIf(!sandboxIsHere)("a command that the user lists as unconfined", () => {
  test("runs outside the sandbox once a person agreed, and the result says so", async () => {
    await using world = await shellWorld({}, { sandbox, rules })
    const { isolation } = dataOf(await world.session.call("bash", { command: "hostname" }, { answer: "once" }))
    expect(isolation).toMatchObject({ level: "none" })
  })

  test("is denied where nobody is, whatever the rules allow", async () => {
    await using world = await shellWorld({}, { sandbox, rules })
    const envelope = await world.session.call("bash", { command: "hostname" })
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect(envelope.type === "error" && envelope.error_text).toContain('"bash": outside the sandbox')
  })

  test.each([
    ["a rule", { rules: [{ permission: "shell.run", pattern: "hostname", action: "deny" }] }],
    [
      "the manifest",
      { guard: { manifest: { rules: [{ permission: "shell.run", pattern: "hostname", action: "deny" }] } } },
    ],
  ] as const)("is not run when %s denies it, also with an answer in advance", async (_name, denied) => {
    await using world = await shellWorld({}, { sandbox, ...denied })
    const envelope = await world.session.call("bash", { command: "hostname" }, { answer: "once" })
    expect(envelope.metadata.error_code).toBe("denied")
  })

  test("asks every time and offers no rule that would settle it", async () => {
    const person = scriptedPerson({ asks: [{ answer: "session" }, { answer: "reject" }] })
    await using world = await shellWorld({}, { sandbox, rules, person })
    expect((await world.session.call("bash", { command: "hostname" })).type).toBe("output")
    expect((await world.session.call("bash", { command: "hostname" })).metadata.error_code).toBe("denied")
    expect(person.asked).toHaveLength(2)
    expect(person.asked[0]?.proposal).toBeUndefined()
    expect(person.asked[0]?.ladder.reason).toMatch(/^outside the sandbox/)
  })

  test.each(["hostname; true", "hostname > x", "env hostname"])("%s stays inside", async (command) => {
    await using world = await shellWorld({}, { sandbox, rules })
    const { isolation } = dataOf(await world.session.call("bash", { command }, { answer: "once" }))
    expect(isolation).not.toMatchObject({ level: "none" })
  })

  test("stays inside in mode plan", async () => {
    await using world = await shellWorld({}, { sandbox, rules, mode: "plan" })
    const { isolation } = dataOf(await world.session.call("bash", { command: "hostname" }, { answer: "once" }))
    expect(isolation).toMatchObject({ profile: "read-only" })
  })
})
