import { describe, expect, test } from "vitest"
import { areHere, dataOf, running, sandboxIsHere, shellWorld, until } from "./shell-world.js"

const once = { answer: "once" } as const

describe.skipIf(!sandboxIsHere)("jobs", () => {
  test("[C2-82] go on after their call, are read piece by piece and stop with all that they started", async () => {
    await using world = await shellWorld()
    const { session } = world
    const started = dataOf(await session.call("job_start", { command: "echo one; sleep 96.11 & sleep 96.11" }, once))
    const { id } = started
    let seen = started.output
    while (!seen.includes("one")) seen += dataOf(await session.call("job_output", { id, wait_ms: 5_000 })).output
    expect(seen).toBe("one\n")
    await until(() => running("sleep 96.11").length === 2)
    expect(dataOf(await session.call("job_stop", { id })).state).toBe("stopped")
    expect(running("sleep 96.11")).toEqual([])
  })

  test("[C2-82] are all gone when the session closes", async () => {
    await using world = await shellWorld()
    const session = await world.open()
    for (const line of ["sleep 96.12", "setsid sleep 96.12 & nohup sleep 96.12", "trap '' TERM; sleep 96.12"])
      dataOf(await session.call("job_start", { command: line }, once))
    await until(() => running("sleep 96.12").length === 4)
    await session.close()
    expect(running("sleep 96.12")).toEqual([])
  })

  test("[C2-84] of one session are unknown to another", async () => {
    await using world = await shellWorld()
    const { id } = dataOf(await world.session.call("job_start", { command: "sleep 96.13" }, once))
    const other = await world.open()
    expect((await other.call("job_stop", { id })).metadata.error_code).toBe("not_found")
    await until(() => running("sleep 96.13").length > 0)
  })

  test("take input where a person agreed to it", async () => {
    await using world = await shellWorld()
    const { session } = world
    const { id } = dataOf(await session.call("job_start", { command: "read name; echo hello $name" }, once))
    dataOf(await session.call("job_input", { id, text: "Ann\n" }, once))
    let view = dataOf(await session.call("job_output", { id, wait_ms: 5_000 }))
    let seen = view.output
    while (view.state === "running") {
      view = dataOf(await session.call("job_output", { id, wait_ms: 5_000 }))
      seen += view.output
    }
    expect(seen).toContain("hello Ann")
    expect(view.exit_code).toBe(0)
  })
})

describe.skipIf(!sandboxIsHere || !areHere("python3"))("an interpreter", () => {
  test.each([
    { language: "python", set: "x = 41", get: "print(x + 1)" },
    { language: "javascript", set: "const x = 41", get: "console.log(x + 1)" },
    { language: "shell", set: "x=41", get: "echo $((x + 1))" },
  ] as const)("[C2-82] of $language keeps its state between calls, in a sandbox", async ({ language, set, get }) => {
    await using world = await shellWorld()
    dataOf(await world.session.call("repl", { language, code: set }, once))
    const { stdout, isolation } = dataOf(await world.session.call("repl", { language, code: get }, once))
    expect(stdout).toBe("42\n")
    expect(isolation).toMatchObject({ level: "namespaces", profile: "read-only", network: "none" })
  })

  test("cannot write the workspace, nor read what a rule denies", async () => {
    await using world = await shellWorld({ ".env": "KEY=5ecret\n" })
    const code = "try:\n  open('made', 'w')\nexcept OSError as e: print(e.strerror)\nprint(open('.env').read())"
    const { stdout, stderr } = dataOf(await world.session.call("repl", { language: "python", code }, once))
    expect(stdout).toBe("Read-only file system\n")
    expect(stderr).toContain("PermissionError")
  })
})
