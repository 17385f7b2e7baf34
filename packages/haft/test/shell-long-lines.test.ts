import { describe, expect, test } from "vitest"
import { sandboxIsHere, shellWorld } from "./shell-world.js"

// Far beyond what any analysis reads.
const padded = (command: string) => `${command} ${"{a,b}".repeat(3_000)} ${"x".repeat(200_000)}`

describe("a line that nests deeply, or holds very many commands", () => {
  test.each([
    ["907 bytes of substitutions", `${"aa $(bbb ccc ".repeat(64)}${")".repeat(64)}`.slice(0, 907)],
    ["3.9 kB of substitutions", "a $(bbb ccc d ".repeat(280)],
    ["200 commands", Array.from({ length: 199 }, (_, index) => `program-${index}`).join("; ")],
    ["200 files", Array.from({ length: 199 }, (_, index) => `touch folder-${index}/x`).join("; ")],
  ])("is judged without holding up the event loop: %s", async (_name, command) => {
    await using world = await shellWorld({})
    await world.session.explain("bash", { command: "ls" })
    // What the machine does besides is taken out: the processor's time of this process is what a line costs.
    const before = process.cpuUsage()
    await world.session.explain("bash", { command })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(300)
  })
})

describe.skipIf(!sandboxIsHere)("a line that is too long to be read", () => {
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
