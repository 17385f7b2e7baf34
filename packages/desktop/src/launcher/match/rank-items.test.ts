import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createItemTable, type IndexedItem } from "./item-table.js"
import { matchQuality } from "./match-quality.js"
import { foldText, prepareQuery, prepareText } from "./prepare.js"
import { rankItems } from "./rank-items.js"

function item(name: string, ...others: readonly string[]): IndexedItem {
  return {
    id: `app_${name}`,
    name,
    type: "application",
    order: foldText(name),
    texts: [name, ...others].map((each) => prepareText(each)),
  }
}

function file(path: string): IndexedItem {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return {
    id: `file_${path}`,
    name,
    type: "file",
    order: foldText(name),
    texts: [prepareText(path, path.length - name.length)],
    path,
  }
}

async function quality(one: IndexedItem, query: string): Promise<number> {
  const { texts } = await createItemTable([one])
  return matchQuality(texts, 0, prepareQuery(query)!, 0)
}

async function rank(
  items: readonly IndexedItem[],
  query: string,
  count = 10,
  uses: Readonly<Record<string, number>> = {},
) {
  const table = await createItemTable(items)
  const weights = new Map(Object.entries(uses).map(([id, weight]) => [table.places.get(id)!, weight]))
  return rankItems([{ table, weights }], prepareQuery(query), count).map((each) => each.item.id.replace(/^[a-z]+_/, ""))
}

describe("the quality of a match", () => {
  test("falls from the same name to scattered letters, and stays between 0 and 1", async () => {
    const path = file("src/report/make-report.ts")
    const queries = ["make-report.ts", "report/make-report.ts", "make", "report", "eport", "src", "mkrpt", "srcmake"]
    const found = await Promise.all(queries.map((query) => quality(path, query)))
    expect(found[0]).toBe(1)
    expect(found).toEqual([...found].sort((one, other) => other - one))
    expect(found.at(-1)).toBeGreaterThan(0)
  })

  test("letters, accents and width of case do not matter; order does", async () => {
    expect(await quality(item("Éditeur"), "EDITEUR")).toBe(1)
    expect(await quality(item("文件管理器"), "管理")).toBeGreaterThan(0.5)
    expect(await quality(item("Finder"), "rednif")).toBe(0)
  })

  test("word beginnings count: by separators and by capitals", async () => {
    expect(await quality(item("createLauncherIndex"), "launcher")).toBeGreaterThan(
      await quality(item("relaunchers"), "launcher"),
    )
    expect(await quality(item("Google Chrome"), "gc")).toBeGreaterThan(await quality(item("Logic"), "gc"))
  })

  test("several words are found in any order, and best together", async () => {
    const chrome = item("Google Chrome")
    expect(await quality(chrome, "google chrome")).toBe(1)
    expect(await quality(chrome, "chrome google")).toBeGreaterThan(0)
    expect(await quality(chrome, "chrome firefox")).toBe(0)
  })

  test("letters that are strewn over a long path are no match", async () => {
    expect(await quality(file("packages/runtime/source/definitions/manifest.ts"), "zebra")).toBe(0)
    expect(await quality(file("packages/alpha/source/brown/extra/tables/arrange.ts"), "krbg")).toBe(0)
    expect(await quality(item("Calculator"), "clcltr")).toBeGreaterThan(0)
  })

  test("it is between 0 and 1 for any text and query, and a part of the name always matches", async () => {
    const anything = fc.string({ unit: "binary", minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(anything, anything, fc.nat(), fc.nat(), async (name, query, from, length) => {
        if (query.trim() !== "") {
          const found = await quality(item(name), query)
          expect(found).toBeGreaterThanOrEqual(0)
          expect(found).toBeLessThanOrEqual(1)
        }
        const start = from % name.length
        const part = name.slice(start, start + 1 + (length % name.length)).trim()
        if (part !== "") expect(await quality(item(name), part)).toBeGreaterThan(0)
      }),
    )
  })
})

describe("the order of results", () => {
  test("by score, then by name whatever its case, then by id", async () => {
    const items = [item("beta"), item("Alpha"), item("alpha"), item("gamma")]
    expect(await rank(items, "")).toEqual(["Alpha", "alpha", "beta", "gamma"])
    expect(await rank(items, "", 10, { app_gamma: 0.5 })).toEqual(["gamma", "Alpha", "alpha", "beta"])
    expect(await rank(items, "a", 10, { app_gamma: 3 })).toEqual(["gamma", "Alpha", "alpha", "beta"])
  })

  test("use adds to the match and does not replace it", async () => {
    expect(await rank([item("Firefox"), item("Files")], "fi", 10, { app_Files: 0.01 })).toEqual(["Files", "Firefox"])
    expect(await rank([item("Firefox"), item("Files")], "fire", 10, { app_Files: 100 })).toEqual(["Firefox"])
  })

  test("the best of several names counts once", async () => {
    const items = [item("Files", "文件", "File Manager"), item("Filler")]
    expect(await rank(items, "file manager")).toEqual(["Files"])
    expect(await rank(items, "fil")).toEqual(["Files", "Filler"])
    expect(await rank(items, "fil", 1)).toEqual(["Files"])
  })

  test("the first of two things with one id counts", async () => {
    expect(await rank([item("x"), { ...item("x"), name: "other" }], "x")).toEqual(["x"])
  })

  test("what is cut off early is what the whole list begins with, for any items, uses and queries", async () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "/", "A", "B"), minLength: 1, maxLength: 12 })
    const things = fc.uniqueArray(name, { maxLength: 60 })
    const query = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-", "/"), maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(things, query, fc.nat({ max: 20 }), fc.array(fc.nat()), async (names, text, count, used) => {
        const items = names.map((each, index) =>
          index % 2 === 0 ? item(each, each.slice(1) || "z") : file(`b/${each}`),
        )
        const uses = Object.fromEntries(
          used.filter(() => items.length > 0).map((index) => [items[index % items.length]!.id, (index % 7) / 2 + 0.1]),
        )
        // More than the insertion list takes: everything is worked out and sorted.
        const whole = await rank(items, text, 5_000, uses)
        expect(await rank(items, text, count, uses)).toEqual(whole.slice(0, count))
      }),
      { numRuns: 300 },
    )
  })
})
