import { renameSync, rmSync, symlinkSync } from "node:fs"
import { expect, test } from "vitest"
import { sandboxIsHere, shellWorld } from "./shell-world.js"

test.skipIf(!sandboxIsHere)("a root that became a link before the first command is refused to every tool", async () => {
  await using world = await shellWorld({ passwd: "mine\n" })
  const old = `${world.root}-old`
  renameSync(world.root, old)
  symlinkSync("/etc", world.root)
  try {
    const calls = {
      read: { file_path: "passwd" },
      bash: { command: "cat passwd" },
      exec: { command: "cat", args: ["passwd"] },
      repl: { language: "shell", code: "cat passwd" },
      job_start: { command: "cat passwd" },
    } as const
    for (const [tool, input] of Object.entries(calls)) {
      const envelope = await world.session.call(tool as "bash", input as never, { answer: "once" })
      expect([tool, envelope.type]).toEqual([tool, "error"])
      expect(JSON.stringify(envelope)).not.toContain("root:")
      if (tool !== "read") expect([tool, envelope]).toMatchObject([tool, { metadata: { error_code: "conflict" } }])
    }
  } finally {
    rmSync(world.root)
    renameSync(old, world.root)
  }
})
