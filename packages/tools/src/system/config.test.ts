import { type Settings, type SettingValue, ToolError } from "@haft/contract"
import { runExample, testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { config, examples, execute } from "./config.js"

let bench: ToolBench
afterEach(() => bench?.close())

/** A configuration as the port gives it: two settings, one of which may be set. */
function fakeSettings(): Settings & { readonly values: Map<string, SettingValue> } {
  const values = new Map<string, SettingValue>([
    ["language", "en"],
    ["theme", "auto"],
    ["mode", "ask"],
  ])
  const get = async (setting: string) => {
    if (!values.has(setting)) throw new ToolError("not_found", `Cannot find setting "${setting}"`)
    return values.get(setting)!
  }
  return {
    values,
    get,
    async set(setting, value) {
      const previous = await get(setting)
      if (setting === "mode") throw new ToolError("denied", 'Cannot set "mode"')
      values.set(setting, value)
      return { value, previous }
    },
  }
}

const run = (input: { setting: string; value?: string }, settings: Settings) =>
  execute(input, { settings } as Parameters<typeof execute>[1])

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  const context = { ...testCall(config, bench.ports).context, settings: fakeSettings() }
  await runExample(config, example, () => ({ context }))
})

test("reading leaves out what was before, setting gives it, and the words are JSON", async () => {
  const settings = fakeSettings()
  const read = await run({ setting: "language" }, settings)
  expect(read).toEqual({ setting: "language", value: "en" })
  expect(config.present(read as never, { setting: "language" })).toEqual([{ type: "text", text: 'language = "en"' }])
  const set = await run({ setting: "theme", value: "dark" }, settings)
  expect(set).toEqual({ setting: "theme", value: "dark", previous_value: "auto" })
  expect(config.present(set as never, { setting: "theme" })).toEqual([
    { type: "text", text: 'theme = "dark" (before: "auto")' },
  ])
  expect(settings.values.get("theme")).toBe("dark")
})

test("what the port refuses stays refused", async () => {
  expect((await failure(run({ setting: "mode", value: "auto" }, fakeSettings()))).code).toBe("denied")
})

test("[C2-7] lists and objects are no values", () => {
  for (const value of [[], {}, null]) {
    expect(config.manifest.input.safeParse({ setting: "theme", value }).success).toBe(false)
  }
})
