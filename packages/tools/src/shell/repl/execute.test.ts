import { readFileSync } from "node:fs"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openShellBench } from "../../../test/shell-bench.js"
import type { ToolBench } from "../../../test/tool-bench.js"
import { repl } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test.each([
  ["python", "total = 40", "print(total + 2)"],
  ["javascript", "globalThis.total = 40", "console.log(total + 2)"],
  ["shell", "total=40", "echo $((total + 2))"],
])("%s keeps what it was told", async (language, first, second) => {
  bench = await openShellBench()
  expect((await bench.run(repl, { language, code: first })).data.exit_code).toBe(0)
  expect((await bench.run(repl, { language, code: second })).data).toMatchObject({ stdout: "42\n", exit_code: 0 })
})

test("code that raises is a result with the message on the error stream", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(repl, { language: "python", code: "print('so far')\nraise ValueError('no')" })
  expect(data).toMatchObject({ stdout: "so far\n", exit_code: 1, timed_out: false })
  expect(text).toMatch(/^so far\n\[stderr\]\n[\s\S]*ValueError: no\n\[exit code 1/)
})

test("code that takes too long is stopped", async () => {
  bench = await openShellBench()
  const { data, text } = await bench.run(repl, { language: "javascript", code: "for (;;);", timeout_ms: 400 })
  expect(data.timed_out).toBe(true)
  expect(text).toContain("timed out after 400 ms")
})

test("a long output is cut within the limit", async () => {
  bench = await openShellBench()
  const { data } = await bench.run(repl, { language: "shell", code: "seq 1 100000" }, { limit: 2_000 })
  expect(Buffer.byteLength(data.stdout)).toBeLessThanOrEqual(2_000)
  expect(data.stdout).toMatch(/^1\n2\n[\s\S]* bytes left out [\s\S]*\n100000\n$/)
})

test("another language and a NUL character are refused", async () => {
  bench = await openShellBench()
  expect(repl.manifest.input.safeParse({ language: "perl", code: "1" }).success).toBe(false)
  expect((await failure(bench.run(repl, { language: "python", code: "a\0" }))).code).toBe("invalid_args")
})

test("the judge is told that the code cannot be looked through", () => {
  const input = repl.manifest.input.parse({ language: "shell", code: "ls" })
  expect(repl.manifest.command!(input)).toEqual({ kind: "opaque", label: "shell code" })
})

test("the streams are shown as they were read, and a long output has a file", async () => {
  bench = await openShellBench()
  const code = "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three"
  const { data, text } = await bench.run(repl, { language: "shell", code })
  expect(data).toMatchObject({ stdout: "one\nthree\n", stderr: "two\n", order: [4, 4, 6] })
  expect(text).toContain("one\n[stderr]\ntwo\n[stdout]\nthree")
  const long = await bench.run(repl, { language: "shell", code: "seq 1 100000" }, { limit: 10_000 })
  expect(long.data.stdout.length).toBeLessThanOrEqual(10_000)
  expect(readFileSync(long.sidecar()!, "utf8")).toBe(
    `${Array.from({ length: 100_000 }, (_, index) => index + 1).join("\n")}\n`,
  )
  const next = await bench.run(repl, { language: "shell", code: "echo short" })
  expect([next.data.stdout, next.sidecar()]).toEqual(["short\n", undefined])
})
