import fc from "fast-check"
import { expect, test } from "vitest"
import { type Entry, orderKey, SortedPrefix } from "./sorted-prefix.js"

const entry = fc.record({
  key: fc.string({ maxLength: 3 }),
  kind: fc.constantFrom("found" as const, "denied" as const, "unreadable" as const),
  count: fc.nat({ max: 4 }),
})

test("the content depends on what was added, not on the order", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { selector: ({ key }) => key }),
      fc.nat({ max: 12 }),
      fc.infiniteStream(fc.nat()),
      (drafts, maxItems, random) => {
        const entries = drafts.map(({ key, kind, count }) => make(key, kind, count))
        const shuffled = entries
          .map((value) => ({ value, rank: random.next().value as number }))
          .sort((left, right) => left.rank - right.rank)
          .map(({ value }) => value)
        expect(fill(shuffled, maxItems)).toEqual(fill(entries, maxItems))
        // Added twice is added once: the second run of a search sees the paths of the first again.
        expect(fill([...shuffled, ...entries], maxItems)).toEqual(fill(entries, maxItems))
      },
    ),
  )
})

test("the content is the beginning of the sorted whole", () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ key }) => key }), fc.nat({ max: 12 }), (drafts, maxItems) => {
      const entries = drafts.map(({ key, kind, count }) => make(key, kind, count))
      const whole = fill(entries, Number.MAX_SAFE_INTEGER)
      const items = whole.entries.flatMap((each) => each.items)
      const kept = fill(entries, maxItems)
      expect(whole.complete).toBe(true)
      expect(kept.entries.flatMap((each) => each.items)).toEqual(items.slice(0, maxItems))
      expect(kept.complete).toBe(items.length <= maxItems)
    }),
  )
})

test("memory is bounded also by bytes, with entries that hold nothing else", () => {
  const prefix = new SortedPrefix<string>({ maxItems: 10, maxBytes: 1000 })
  for (let index = 0; index < 5000; index += 1) prefix.add(make(String(index).padStart(5, "0"), "denied", 0))
  expect(prefix.content()).toMatchObject({ complete: false, leftOut: { length: 101 } })
  expect(prefix.accepts("00000")).toBe(true)
  expect(prefix.accepts("00101")).toBe(false)
})

test("paths sort component by component", () => {
  const paths = ["a-b", "a/b", "a/b/c", "a", "a.b", "B", "a/b-c"]
  const keyed = new Map(paths.map((path) => [orderKey(path), path]))
  expect([...keyed.keys()].sort().map((key) => keyed.get(key))).toEqual([
    "B",
    "a",
    "a/b",
    "a/b/c",
    "a/b-c",
    "a-b",
    "a.b",
  ])
})

function make(key: string, kind: Entry<string>["kind"], count: number): Entry<string> {
  const items = kind === "found" ? Array.from({ length: count }, (_, index) => `${key}:${index}`) : []
  return { key, kind, items, bytes: 10 }
}

function fill(entries: readonly Entry<string>[], maxItems: number) {
  const prefix = new SortedPrefix<string>({ maxItems, maxBytes: Number.MAX_SAFE_INTEGER })
  for (const each of entries) prefix.add(each)
  return prefix.content()
}
