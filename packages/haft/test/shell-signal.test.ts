import { describe, expect, test } from "vitest"
import { areHere, dataOf, shellWorld, wallIsHere } from "./shell-world.js"

describe.skipIf(!wallIsHere || !areHere("python3"))("a program that a signal ends behind the wall", () => {
  test("has no exit code", async () => {
    await using world = await shellWorld()
    const args = ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]
    const data = dataOf(await world.session.call("exec", { command: "python3", args }, { answer: "once" }))
    expect(data).toMatchObject({ exit_code: null, signal: "SIGKILL" })
  })

  test("a shell's own code for what it ran stays a code", async () => {
    await using world = await shellWorld()
    const args = ["-c", "exit 137"]
    const data = dataOf(await world.session.call("exec", { command: "sh", args }, { answer: "once" }))
    expect(data).toMatchObject({ exit_code: 137 })
  })
})
