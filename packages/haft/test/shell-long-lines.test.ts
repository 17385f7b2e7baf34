import { describe, expect, test } from "vitest"
import { shellWorld, wallIsHere } from "./shell-world.js"

// Far beyond what any analysis reads.
const padded = (command: string) => `${command} ${"{a,b}".repeat(3_000)} ${"x".repeat(200_000)}`

describe.skipIf(!wallIsHere)("a line that is too long to be read", () => {
  test("asks where somebody denied certain commands, although commands are allowed", async () => {
    await using world = await shellWorld(
      {},
      {
        rules: [
          { permission: "bash", action: "allow" },
          { permission: "bash", pattern: "rm *", action: "deny" },
        ],
      },
    )
    const envelope = await world.session.call("bash", { command: padded("rm -f") })
    expect(envelope).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    expect(envelope.type === "error" && envelope.error_text).toContain("rm *")
    expect(JSON.stringify(envelope).length).toBeLessThan(20_000)
  })
})
