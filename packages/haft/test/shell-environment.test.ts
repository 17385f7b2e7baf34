import { describe, expect, test } from "vitest"
import { dataOf, sandboxIsHere, shellWorld } from "./shell-world.js"

const name = "HAFT_TEST_TOKEN"
process.env[name] = "a-very-secret-value"
process.env.HAFT_TEST_PLAIN = "plain"
process.env.HAFT_TEST_COPY = "a-very-secret-value"

const rules = [{ permission: "bash", action: "allow" }] as const
const shown = { command: "echo $HAFT_TEST_TOKEN,$HAFT_TEST_COPY,$HAFT_TEST_PLAIN" }

describe.skipIf(!sandboxIsHere)("variables that a user names", () => {
  test("a secret is kept out, also under another name, and the result says how to pass it", async () => {
    await using world = await shellWorld({}, { rules, sandbox: { env: [name, "HAFT_TEST_COPY", "HAFT_TEST_PLAIN"] } })
    const { stdout, isolation } = dataOf(await world.session.call("bash", shown))
    expect(stdout).toBe(",,plain\n")
    expect(JSON.stringify(isolation)).toContain(`--env-secret ${name}`)
  })

  test("a secret that is named as one reaches the command", async () => {
    await using world = await shellWorld({}, { rules, sandbox: { env: [name], envSecrets: [name] } })
    const { stdout, isolation } = dataOf(await world.session.call("bash", shown))
    expect(stdout).toBe("a-very-secret-value,,\n")
    expect(JSON.stringify(isolation)).not.toContain("--env-secret")
  })
})
