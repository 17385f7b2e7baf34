import { chmodSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openShellBench } from "../../../test/shell-bench.js"
import type { ToolBench } from "../../../test/tool-bench.js"
import { exec } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("arguments arrive as they are, empty ones too", async () => {
  bench = await openShellBench({ "a.txt": "" })
  const args = ["[%s]", "*.txt", "$HOME", "", "two words", "; touch x", "-n", "\n"]
  const { data } = await bench.run(exec, { command: "printf", args })
  expect(data.stdout).toBe("[*.txt][$HOME][][two words][; touch x][-n][\n]")
  expect(await bench.workspace.readText("x")).toBeNull()
})

test("any exit code and any signal is a result", async () => {
  bench = await openShellBench()
  expect((await bench.run(exec, { command: "sh", args: ["-c", "exit 9"] })).data.exit_code).toBe(9)
  const killed = await bench.run(exec, { command: "sh", args: ["-c", "kill -TERM $$"] })
  expect(killed.data).toMatchObject({ exit_code: null, signal: "SIGTERM" })
})

test("a program that cannot be started is an error", async () => {
  bench = await openShellBench({ "data.txt": "no program" })
  const missing = await failure(bench.run(exec, { command: "no-such-program-anywhere" }))
  expect(missing.code).toBe("not_found")
  expect(missing.message).toContain('Cannot run "no-such-program-anywhere"')
  await failure(bench.run(exec, { command: "./missing" }))
  await failure(bench.run(exec, { command: "./data.txt" }))
})

test("a name never means a file of the workspace, a path may", async () => {
  bench = await openShellBench({ "tools/printf": "#!/bin/sh\necho mine\n" })
  chmodSync(join(bench.workspace.path, "tools/printf"), 0o755)
  const inside = { command: "printf", args: ["real"], cwd: "tools" }
  expect((await bench.run(exec, inside)).data.stdout).toBe("real")
  expect((await bench.run(exec, { command: "./printf", cwd: "tools" })).data.stdout).toBe("mine\n")
})

test("it starts in the given folder, which must be inside the workspace", async () => {
  bench = await openShellBench({ "sub/a": "" })
  expect((await bench.run(exec, { command: "pwd", cwd: "sub" })).data.stdout).toBe(`${bench.workspace.path}/sub\n`)
  expect((await failure(bench.run(exec, { command: "pwd", cwd: "nowhere" }))).code).toBe("not_found")
  expect((await failure(bench.run(exec, { command: "pwd", cwd: "/" }))).code).toBe("denied")
})

test("a NUL character in any word is refused before anything starts", async () => {
  bench = await openShellBench()
  expect((await failure(bench.run(exec, { command: "to\0uch", args: ["x"] }))).code).toBe("invalid_args")
  expect((await failure(bench.run(exec, { command: "touch", args: ["x", "a\0"] }))).code).toBe("invalid_args")
  expect(await bench.workspace.readText("x")).toBeNull()
})

test("a list with anything but text in it never reaches the program", () => {
  expect(exec.manifest.input.safeParse({ command: "echo", args: ["a", 1] }).success).toBe(false)
})

test("the judge sees the words that will run", () => {
  const named = (input: unknown) => exec.manifest.command!(exec.manifest.input.parse(input))
  expect(named({ command: "git", args: ["status"] })).toEqual({ kind: "argv", argv: ["git", "status"] })
  expect(named({ command: "ls", cwd: "src" })).toEqual({ kind: "argv", argv: ["ls"], directory: "src" })
})
