import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { faceWords, sayIn, type Words } from "./say.js"

const packages = fileURLToPath(new URL("../../..", import.meta.url))

/** The catalogues of the faces and of every family of tools. */
async function catalogues(): Promise<readonly { name: string; words: Words<string> }[]> {
  const source = join(packages, "tools/src")
  const files = readdirSync(source, { recursive: true }).map(String)
  const own = files.filter((name) => /(^|\/)ui\/words\.ts$/.test(name))
  expect(own.length).toBeGreaterThan(5)
  const loaded = own.map(async (name) => ({ name, words: (await import(join(source, name))).words as Words<string> }))
  return [{ name: "faces", words: faceWords }, ...(await Promise.all(loaded))]
}

test("every word is there in both languages, with the same values to fill in", async () => {
  for (const { name, words } of await catalogues()) {
    expect(Object.keys(words["zh-CN"]).sort(), name).toEqual(Object.keys(words.en).sort())
    for (const [key, english] of Object.entries(words.en)) {
      const chinese = words["zh-CN"][key]!
      expect(chinese.trim(), `${name} ${key}`).not.toBe("")
      const values = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
      expect(values(chinese), `${name} ${key}`).toEqual(values(english))
    }
  }
})

test("a number takes its form and the writing of its language", () => {
  const say = sayIn("en", faceWords)
  expect([say("lines", { n: 1 }), say("lines", { n: 0 }), say("lines", { n: 12_345 })]).toEqual([
    ...["1 line", "0 lines", "12,345 lines"],
  ])
  expect(sayIn("zh-CN", faceWords)("lines", { n: 2 })).toBe("2 行")
  expect(say("exitCode", { code: "{code}" })).toBe("exit {code}")
})
