import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { isAlive, isRunning, isSameProcess, processToken, startOf, statFields } from "./process-identity.js"

const isLinux = process.platform === "linux"
const { pid } = process

test.skipIf(!isLinux)("a process is its number together with its start", () => {
  expect(processToken()).toMatch(new RegExp(`^${pid}-\\d+$`))
  for (const [token, answer] of [
    [processToken(), true],
    [`${pid}-1`, false],
    [`${pid}-`, false],
    ["4194304-1", false],
    ["", false],
    ["no process", false],
  ] as const) {
    expect(isRunning(token), token).toBe(answer)
  }
  expect(isSameProcess({ pid, startedAt: startOf(pid) })).toBe(true)
})

test("a number is alive as long as its process is, and another user's counts", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
  await once(child, "spawn")
  expect(isAlive(child.pid!)).toBe(true)
  expect(isAlive(1)).toBe(true)
  child.kill("SIGKILL")
  await once(child, "exit")
  expect(isAlive(child.pid!)).toBe(false)
  expect(startOf(child.pid!)).toBe("")
})

test("a name with brackets and spaces does not shift the fields", () => {
  const rest = ["S", ...Array.from({ length: 18 }, (_, index) => String(index)), "4711"]
  expect(statFields(`12 (a) b ) (c)) ${rest.join(" ")}`)).toEqual(rest)
})
