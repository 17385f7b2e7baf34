import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { FoundResult } from "../../../../../tools/src/web/shared/search/found-result.js"
import { providerIds } from "../../../../../tools/src/web/shared/search/provider-id.js"
import { type EngineResults, mergeResults, urlKey } from "./merge-results.js"

/** Few pages in many spellings, so that engines often agree. */
const address = fc
  .record({
    scheme: fc.constantFrom("http", "https"),
    host: fc.constantFrom("example.org", "www.example.org", "EXAMPLE.org", "other.example", "other.example:8080"),
    path: fc.constantFrom("", "/", "/a", "/a/", "/b", "/%e4", "/%E4"),
    query: fc.constantFrom("", "?x=1&y=2", "?y=2&x=1", "?utm_source=s", "?x=1&y=2&gclid=3", "#part"),
  })
  .map(({ scheme, host, path, query }) => new URL(`${scheme}://${host}${path}${query}`).href)
const result: fc.Arbitrary<FoundResult> = fc.record({
  title: fc.string(),
  url: address,
  snippet: fc.constantFrom("", "s"),
})
const answers: fc.Arbitrary<readonly EngineResults[]> = fc
  .uniqueArray(fc.constantFrom(...providerIds))
  .chain((engines) =>
    fc.tuple(...engines.map((engine) => fc.record({ engine: fc.constant(engine), results: fc.array(result) }))),
  )

test("no page comes twice, and none is lost", () => {
  fc.assert(
    fc.property(answers, (given) => {
      const keys = mergeResults(given).map(({ url }) => urlKey(url))
      expect(new Set(keys).size).toBe(keys.length)
      const found = given.flatMap(({ results }) => results.map(({ url }) => urlKey(url)))
      expect(new Set(keys)).toEqual(new Set(found))
    }),
  )
})

test("the order is the same whichever engine answered first", () => {
  const shuffled = answers.chain((given) =>
    fc.tuple(fc.constant(given), fc.shuffledSubarray([...given], { minLength: given.length })),
  )
  fc.assert(
    fc.property(shuffled, ([given, other]) => {
      expect(mergeResults(other)).toEqual(mergeResults(given))
    }),
  )
})

test("scores fall, and engines are those that found the page", () => {
  fc.assert(
    fc.property(answers, (given) => {
      const merged = mergeResults(given)
      const scores = merged.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      for (const { url, engines } of merged) {
        const finders = given.filter(({ results }) => results.some((each) => urlKey(each.url) === urlKey(url)))
        expect(new Set(engines)).toEqual(new Set(finders.map(({ engine }) => engine)))
      }
    }),
  )
})

test("one engine alone keeps its own order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(result, { selector: ({ url }) => urlKey(url) }), (results) => {
      expect(mergeResults([{ engine: "ddg", results }]).map(({ url }) => url)).toEqual(results.map(({ url }) => url))
    }),
  )
})

test("the best place gives the words, the others what it lacks", () => {
  const page = { url: "https://example.org/", title: "Wiki", snippet: "", published: "2024" }
  const [merged] = mergeResults([
    { engine: "wiki", results: [page] },
    {
      engine: "ddg",
      results: [
        { ...page, url: "https://x.example/" },
        { title: "Duck", url: "http://www.example.org", snippet: "s" },
      ],
    },
  ])
  expect(merged).toEqual({
    title: "Wiki",
    url: "https://example.org/",
    content: "s",
    engines: ["ddg", "wiki"],
    score: 3,
    published_date: "2024",
  })
})

test("pages that differ keep different keys", () => {
  const urls = ["/a", "/A", "/a?x=1", "/a?x=2", "/a?x=1&x=2", "/a?x=%26y", "/a?x=&y", "/a%2Fb", "/a/b", "/"]
  expect(new Set(urls.map((path) => urlKey(`https://example.org${path}`))).size).toBe(urls.length)
})
