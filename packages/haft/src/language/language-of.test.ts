import { afterEach, beforeEach, expect, test } from "vitest"
import { type Workbench, workbench } from "../../test/workbench.js"
import { languageBefore } from "./language-of.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

test.each([
  [{ LANG: "zh_CN.UTF-8" }, "zh-CN"],
  [{ LANG: "zh_SG" }, "zh-CN"],
  [{ LANG: "zh" }, "zh-CN"],
  [{ LANG: "zh-Hans" }, "zh-CN"],
  [{ LC_MESSAGES: "zh_CN.UTF-8", LANG: "en_US.UTF-8" }, "zh-CN"],
  [{ LC_ALL: "en_US.UTF-8", LC_MESSAGES: "zh_CN.UTF-8" }, "en"],
  [{ LANG: "zh_TW.UTF-8" }, "en"],
  [{ LANG: "zh-Hant-HK" }, "en"],
  [{ LANG: "zhx" }, "en"],
  [{ LANG: "zh_CN.UTF-8", HAFT_LANG: "en" }, "en"],
  [{ LANG: "zh_CN.UTF-8", HAFT_LANG: "fr" }, "zh-CN"],
  [{}, "en"],
])("%j is %s", (env, language) => {
  expect(languageBefore(["gerp"], env)).toBe(language)
})

test("the flag counts before everything, also where the rest is not understood", async () => {
  expect(languageBefore(["gerp", "--lang=zh-CN"], { HAFT_LANG: "en" })).toBe("zh-CN")
  expect(languageBefore(["--lang", "en", "gerp"], { HAFT_LANG: "zh-CN" })).toBe("en")
  const { code, stderr } = await bench.run(["--lang", "zh-CN", "tools", "--nope"])
  expect(code).toBe(2)
  expect(stderr).toBe('错误: 无法使用 "--nope"：没有这个选项\n  见 haft help；自己的以 "-" 开头的词放在 "--" 之后\n')
})

test("the configuration counts before the locale, and the environment before the configuration", async () => {
  const heading = async (env: Readonly<Record<string, string>>) =>
    (await bench.run(["help", "version"], { env })).stdout.split("\n")[0]
  expect(await heading({ LANG: "zh_CN.UTF-8" })).toBe("haft version: 版本")
  expect((await bench.run(["config", "set", "language", "en"])).code).toBe(0)
  expect(await heading({ LANG: "zh_CN.UTF-8" })).toBe("haft version: The version")
  expect((await bench.run(["config", "set", "language", "zh-CN"])).code).toBe(0)
  expect(await heading({})).toBe("haft version: 版本")
  expect(await heading({ HAFT_LANG: "en" })).toBe("haft version: The version")
})

test("what programs read is English in every language", async () => {
  const { stdout } = await bench.run(["tools", "gerp", "--json", "--lang", "zh-CN"])
  expect(JSON.parse(stdout)).toMatchObject({ error_text: 'Cannot find tool "gerp": there is no such tool' })
})
