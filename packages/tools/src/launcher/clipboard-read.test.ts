import { ToolError } from "@haft/contract"
import { testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { type LauncherBench, openLauncherBench } from "../../test/launcher-bench.js"
import { openBench } from "../../test/tool-bench.js"
import { clipboardRead } from "./clipboard-read.js"
import { clipboardWrite } from "./clipboard-write.js"

let bench: LauncherBench | undefined
afterEach(() => bench?.close())

test("[B10] the text that was written is read, with the clipboard that it comes from", async () => {
  bench = await openLauncherBench()
  await bench.run(clipboardWrite, { text: "two\nlines 🦄" })
  const { data, text } = await bench.run(clipboardRead, {})
  expect(data).toEqual({ text: "two\nlines 🦄", source: "session", reason: expect.stringMatching(/no display/) })
  expect(text).toMatch(
    /^two\nlines 🦄\n\[this is a buffer of the session, not the user's clipboard: there is no display/,
  )
})

test("an empty clipboard still says something", async () => {
  bench = await openLauncherBench()
  expect((await bench.run(clipboardRead, {})).text).toMatch(/^\[The clipboard holds no text; /)
  expect(clipboardRead.present({ text: "", source: "system" }, {})).toEqual([
    { type: "text", text: "[The clipboard holds no text]" },
  ])
  expect(clipboardRead.present({ text: "plain", source: "system" }, {})).toEqual([{ type: "text", text: "plain" }])
})

test("[B10] content that is not text is an error", async () => {
  const files = await openBench()
  const read = async () => {
    throw new ToolError("unsupported", "Cannot read the clipboard: its content is not text but image/png")
  }
  const ports = { ...files.ports, clipboard: () => ({ read, write: read }) }
  const { execute } = await clipboardRead.execute()
  expect((await failure(execute({}, testCall(clipboardRead, ports).context))).code).toBe("unsupported")
  await files.close()
})

test("it takes no arguments", () => {
  expect(clipboardRead.manifest.input.safeParse({ format: "html" }).success).toBe(false)
})
