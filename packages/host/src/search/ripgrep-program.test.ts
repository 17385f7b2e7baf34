import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { limitMemory } from "./ripgrep-program.js"

test.skipIf(process.platform !== "linux")("a process that grows too large is stopped", async () => {
  const child = spawn(process.execPath, [
    "-e",
    "const held = []; setInterval(() => held.push(Buffer.alloc(16e6, 1)), 5)",
  ])
  const memory = limitMemory(child.pid, { maxBytes: 300e6, stop: () => child.kill("SIGKILL") })
  const [, signal] = await once(child, "exit")
  memory.clear()
  expect(signal).toBe("SIGKILL")
  expect(memory.exceeded).toBe(true)
})

test("a process that stays small is left alone", async () => {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 300)"])
  const memory = limitMemory(child.pid, { maxBytes: 4e9, stop: () => child.kill("SIGKILL") })
  expect(await once(child, "exit")).toEqual([0, null])
  memory.clear()
  expect(memory.exceeded).toBe(false)
})
