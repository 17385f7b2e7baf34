import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { locales } from "@haft/contract"
import { describe, expect, test } from "vitest"

const source = fileURLToPath(new URL("..", import.meta.url))
const files = readdirSync(source, { recursive: true }) as string[]
const catalogues = files.filter((name) => name.endsWith(".words.ts"))

/** Every word of a catalogue with its path; functions are called with numbers and texts. */
function wordsOf(value: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]]
  if (typeof value === "function") return [[path, String(value(2, 3, "x"))]]
  return Object.entries(value as object).flatMap(([key, inner]) => wordsOf(inner, `${path}.${key}`))
}

describe("words of the page", () => {
  test("there are catalogues to look at", () => expect(catalogues.length).toBeGreaterThan(12))

  test.each(catalogues)("%s has every word in both languages", async (file) => {
    const exported = Object.values(await import(join(source, file))) as Record<(typeof locales)[number], object>[]
    for (const catalogue of exported) {
      const [english, chinese] = locales.map((language) => new Map(wordsOf(catalogue[language])))
      expect([...chinese!.keys()]).toEqual([...english!.keys()])
      for (const [path, word] of chinese!) {
        expect(word.trim(), path).not.toBe("")
        // Names and formats are the same everywhere; everything else is written in Chinese.
        if (!/^(JSON|x.*|[\d\W]*)$/.test(word)) expect(word, path).toMatch(/\p{Script=Han}/u)
      }
    }
  })

  test("no screen has words of its own between its elements", () => {
    const found = files
      .filter((name) => name.endsWith(".tsx"))
      .flatMap((name) => {
        const text = readFileSync(join(source, name), "utf8")
        return [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g)].map(([, words]) => `${name}: ${words}`)
      })
    expect(found).toEqual([])
  })
})
