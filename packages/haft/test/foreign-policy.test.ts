import { dialectNamed } from "@haft/dialects"
import { describe, expect, test } from "vitest"
import { foreignPolicy } from "../../dialects/src/foreign-policy.js"
import { libraryWorld } from "./library-world.js"

async function verdict(policy: Awaited<ReturnType<typeof foreignPolicy>>, tool: string, input: unknown) {
  const world = await libraryWorld({ "a.txt": "one" })
  try {
    const session = await (await world.haft({ toolset: "all", rules: policy.rules })).openSession()
    return (await session.explain(tool, input as never)).ladder.verdict
  } finally {
    await world.remove()
  }
}

const write = { file_path: "a.txt", content: "x" }
// Nobody is there in these tests, so that what would be asked is denied.
const asked = "deny"

describe("permissions of another system decide about our tools", () => {
  test.each([
    ["read-only", "read", { file_path: "a.txt" }, "allow"],
    ["read-only", "write_file", write, "invalid"],
    ["workspace-write", "write", write, asked],
    ["danger-full-access", "bash", { command: "make" }, "allow"],
  ])("claw in mode %s: %s", async (mode, tool, input, expected) => {
    const policy = await foreignPolicy("claw", { mode: mode as "read-only" })
    if (expected === "invalid") await expect(verdict(policy, tool, input)).rejects.toThrow("there is no tool")
    else expect(await verdict(policy, tool, input)).toBe(expected)
  })

  test("claw: a deny for a command holds", async () => {
    const policy = await foreignPolicy("claw", { mode: "danger-full-access", rules: { deny: ["bash(rm:*)"] } })
    expect(await verdict(policy, "bash", { command: "rm -rf x" })).toBe("deny")
    expect(await verdict(policy, "bash", { command: "make" })).toBe("allow")
  })

  test.each(["REPL", "Brief"])("claw: a deny of %s by that name holds, whatever tool does its work", async (name) => {
    const policy = await foreignPolicy("claw", { mode: "danger-full-access", rules: { deny: [name] } })
    const world = await libraryWorld()
    const session = await (await world.haft({ toolset: "all", rules: policy.rules })).openSession()
    const dialect = (await dialectNamed("claw"))!
    const input = name === "REPL" ? { code: "1", language: "python" } : { message: "hi", status: "normal" }
    const { result } = await session.callIn(dialect, name, input)
    await world.remove()
    expect(result.envelope.metadata.error_code).toBe("denied")
  })

  test("asyar: choosing its web-fetch lets it reach a public host", async () => {
    const policy = await foreignPolicy("asyar", { selection: ["builtin:web-fetch"] })
    expect(await verdict(policy, "http_request", { url: "https://example.org/" })).toBe("allow")
  })

  test("a3s: allow beats ask", async () => {
    const policy = await foreignPolicy("a3s", { allow: ["write(*)"], ask: ["write"] })
    expect(await verdict(policy, "write", write)).toBe("allow")
  })

  test("lobe: what LobeHub asks about is asked about, what it runs by itself runs", async () => {
    const manual = await foreignPolicy("lobe", { approvalMode: "manual" })
    expect(await verdict(manual, "write", write)).toBe(asked)
    const automatic = await foreignPolicy("lobe", { approvalMode: "auto-run" })
    expect(await verdict(automatic, "write", write)).toBe("allow")
  })

  test("asyar: a tool that was not chosen is denied", async () => {
    const policy = await foreignPolicy("asyar", { selection: ["builtin:calculator"] })
    expect(await verdict(policy, "calculator", { expression: "1" })).toBe("allow")
    expect(await verdict(policy, "exec", { command: "ls" })).toBe("deny")
  })
})
