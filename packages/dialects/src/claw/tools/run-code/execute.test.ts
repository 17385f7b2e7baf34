import type { Commands } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openShellBench } from "../../../../../tools/test/shell-bench.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { runCode } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test.each([
  ["python", "import sys; print(6 * 7); sys.exit(3)"],
  ["javascript", "console.log(6 * 7); process.exit(3)"],
  ["shell", "echo $((6 * 7)); exit 3"],
])("%s runs, and any exit code is a result", async (language, code) => {
  bench = await openBench()
  expect((await bench.run(runCode, { language, code })).data).toMatchObject({ stdout: "42\n", exit_code: 3 })
})

test("nothing is kept for the next call", async () => {
  bench = await openBench()
  await bench.run(runCode, { language: "javascript", code: "globalThis.kept = 1" })
  const { data } = await bench.run(runCode, { language: "javascript", code: "console.log(typeof kept)" })
  expect(data.stdout).toBe("undefined\n")
})

test("running out of time is an error", async () => {
  bench = await openBench()
  const error = await failure(
    bench.run(runCode, { language: "shell", code: "echo begun; sleep 40", timeout_ms: 1_000 }),
  )
  expect(error.code).toBe("timeout")
  expect(error.message).toContain("1000 ms")
  expect(error.details).toEqual({ stdout: expect.stringMatching(/^(begun\n)?$/), stderr: "" })
})

test("an interpreter that is not there is named, with the next step", async () => {
  const none = (real: Commands) => ({ ...real, find: async () => undefined })
  bench = await openShellBench({}, { commands: none })
  const error = await failure(bench.run(runCode, { language: "python", code: "1" }))
  expect([error.code, error.fix]).toEqual(["not_configured", "Install python3 and see that it is on the PATH"])
})

test("code is judged as what it starts", () => {
  const { command } = runCode.manifest
  expect(command?.({ language: "shell", code: "rm x", timeout_ms: 1 })).toEqual({ kind: "bash", text: "rm x" })
  expect(command?.({ language: "python", code: "x()", timeout_ms: 1 })).toEqual({
    kind: "argv",
    argv: ["python3", "-c", "x()"],
  })
})
