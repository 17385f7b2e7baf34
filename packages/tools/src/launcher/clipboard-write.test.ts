import { afterEach, expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../test/launcher-bench.js"
import { clipboardRead } from "./clipboard-read.js"
import { clipboardWrite } from "./clipboard-write.js"

let bench: LauncherBench | undefined
afterEach(() => bench?.close())

test("the result acknowledges and never repeats the text", async () => {
  bench = await openLauncherBench()
  const { data, text } = await bench.run(clipboardWrite, { text: "top secret" })
  expect(data).toMatchObject({ ok: true, source: "session", reason: expect.stringMatching(/no display/) })
  expect(text).toMatch(/^Copied 10 characters to a buffer of this session; /)
  expect(text).not.toContain("secret")
  expect(clipboardWrite.present({ ok: true, source: "system" }, { text: "" })).toEqual([
    { type: "text", text: "Cleared the clipboard" },
  ])
})

test.each([{}, { text: 3 }, { text: null }, { text: "a", source: "system" }])(
  "[B10] %j fails before the clipboard is touched",
  (input) => {
    expect(clipboardWrite.manifest.input.safeParse(input).success).toBe(false)
  },
)

test("what cannot be kept is refused, and the old text stays", async () => {
  bench = await openLauncherBench()
  await bench.run(clipboardWrite, { text: "before" })
  expect((await failure(bench.run(clipboardWrite, { text: "a\0b" }))).code).toBe("invalid_args")
  expect((await failure(bench.run(clipboardWrite, { text: "x".repeat(5 * 1024 * 1024 + 1) }))).code).toBe("too_large")
  expect((await bench.run(clipboardRead, {})).data.text).toBe("before")
})
