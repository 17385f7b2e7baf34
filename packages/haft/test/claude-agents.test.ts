import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { AgentWorld, all } from "./agent-world.js"

let world: AgentWorld
beforeEach(async () => {
  world = await AgentWorld.make()
})
afterEach(() => world.remove())

test("what an agent of Claude Code disallows, it cannot do here by any tool", async () => {
  await mkdir(join(world.work, ".claude/agents"), { recursive: true })
  const head = "description: Looks\ndisallowedTools: Write, Edit, Bash(git:*)"
  await writeFile(join(world.work, ".claude/agents/looker.md"), `---\n${head}\n---\nLook.\n`)
  await writeFile(join(world.work, "a.txt"), "a\n")
  const calls = [
    { name: "write", args: { file_path: "b.txt", content: "x" } },
    { name: "edit", args: { file_path: "a.txt", old_string: "a", new_string: "b" } },
    { name: "move", args: { moves: [{ from: "a.txt", to: "c.txt" }] } },
    { name: "bash", args: { command: "touch d.txt" } },
    { name: "job_start", args: { command: "touch e.txt" } },
    { name: "read", args: { file_path: "a.txt" } },
  ]
  const { model } = await world.model(
    { calls: [{ name: "task", args: { subagent_type: "looker", prompt: "Go" } }] },
    { agent: "looker", calls },
    { agent: "looker", text: "I may not." },
    { text: "Over." },
  )
  const permissions = ["fs.write", "fs.delete", "shell.run"]
  const rules = permissions.map((permission) => ({ permission, action: "allow" as const }))
  const events = await all((await world.open({ rules })).agent({ model }).send("Go"))
  const ends = events.flatMap((event) => {
    if (event.type !== "tool-end" || event.tool === "task") return []
    const { type, metadata } = event.envelope
    return [[event.tool, type === "error" ? metadata.error_code : type]]
  })
  expect(ends.sort()).toEqual([
    ["bash", "denied"],
    ["edit", "denied"],
    ["job_start", "denied"],
    ["move", "denied"],
    ["read", "output"],
    ["write", "denied"],
  ])
  expect(["b.txt", "c.txt", "d.txt", "e.txt"].filter((name) => existsSync(join(world.work, name)))).toEqual([])
})
