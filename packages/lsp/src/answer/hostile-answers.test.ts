import fc from "fast-check"
import { expect, test } from "vitest"
import { problemsOf } from "../server/problems.js"
import { PublishedProblems } from "../server/published-problems.js"
import { pathOfUri } from "../wire/values.js"
import { hoverText } from "./about-document.js"
import { placesOf } from "./places.js"
import { symbolsOf } from "./symbols.js"

// Values with the names that the protocol uses, in places where they do not belong.
const key = fc.constantFrom(
  ...["uri", "targetUri", "range", "start", "line", "character", "contents", "value", "name", "kind", "children"],
  ...["location", "containerName", "message", "severity", "source", "code", "version", "diagnostics", "selectionRange"],
)
const leaf = fc.oneof(
  fc.constantFrom("file:///a.ts", "file://%", "untitled:x", ""),
  fc.integer(),
  fc.double(),
  fc.string(),
)
const hostile = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 6 }),
  ),
})).value

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

test("whatever a server sends, places have a path, a line and a character", () => {
  fc.assert(
    fc.property(hostile, (answer) => {
      const found = [...placesOf(answer).places, ...symbolsOf(answer, "/b.ts"), ...symbolsOf(answer)]
      for (const { path, line, character } of found) {
        expect(path.startsWith("/")).toBe(true)
        expect(isCount(line) && isCount(character)).toBe(true)
      }
      for (const { message, line, origin } of problemsOf(answer)) {
        expect(typeof message === "string" && isCount(line) && typeof origin === "string").toBe(true)
      }
      expect(["string", "undefined"]).toContain(typeof hoverText(answer))
      new PublishedProblems().accept(answer)
    }),
    { numRuns: 500 },
  )
})

test("an answer that is nested without end is followed only so far", () => {
  let symbol: object = { name: "x", kind: 5, range: {} }
  for (let depth = 0; depth < 5000; depth += 1) symbol = { name: "x", kind: 5, range: {}, children: [symbol] }
  expect(symbolsOf([symbol], "/a.ts").length).toBeLessThan(100)
})

test("long lists are cut", () => {
  const places = Array.from({ length: 20_000 }, (_, line) => ({ uri: "file:///a.ts", range: { start: { line } } }))
  expect(placesOf(places).places).toHaveLength(5000)
  expect(
    symbolsOf(
      Array.from({ length: 20_000 }, () => ({ name: "x", range: {} })),
      "/a.ts",
    ),
  ).toHaveLength(5000)
})

test("addresses that are no files of this machine have no path", () => {
  for (const uri of ["http://x/y", "file://host/x", "file:///a%00b", "file:///a%2Fb", "bundled:///x", 7, null, "x"]) {
    expect(pathOfUri(uri), String(uri)).toBeUndefined()
  }
  expect(pathOfUri("file:///a%20b/%40c.ts")).toBe("/a b/@c.ts")
})
