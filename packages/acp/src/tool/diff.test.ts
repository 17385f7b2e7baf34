import type { CallRecord, Hunk } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { changedFiles, type DiffSource, effectDiffs, previewDiffs } from "./diff.js"

function source(texts: Readonly<Record<string, string>>, kept: Readonly<Record<string, Uint8Array>> = {}): DiffSource {
  return {
    directory: "/project",
    current: (path) => texts[path],
    hash: async (path) => (texts[path] === undefined ? null : hashOf(texts[path])),
    former: async (hash) => kept[hash],
  }
}

function hashOf(text: string): string {
  return Buffer.from(text).toString("hex").padEnd(64, "0").slice(0, 64)
}

/** One hunk that replaces lines, with one line around it, as a unified diff has it. */
function hunkOf(lines: readonly string[], at: number, removed: number, added: readonly string[]): Hunk {
  const start = Math.max(0, at - 1)
  const end = Math.min(lines.length, at + removed + 1)
  return {
    oldStart: start + 1,
    oldLines: end - start,
    newStart: start + 1,
    newLines: end - start - removed + added.length,
    lines: [
      ...lines.slice(start, at).map((line) => ` ${line}`),
      ...lines.slice(at, at + removed).map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...lines.slice(at + removed, end).map((line) => ` ${line}`),
    ],
  }
}

const line = fc.string({ maxLength: 8 }).map((text) => text.replaceAll(/[\r\n]/g, ""))

test("a preview of hunks is the whole file before and after", () => {
  const change = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    at: fc.nat(11),
    removed: fc.integer({ min: 1, max: 3 }),
    added: fc.array(line, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(change, ({ lines, at, removed, added }) => {
      fc.pre(at + removed <= lines.length)
      const before = `${lines.join("\n")}\n`
      const after = [...lines.slice(0, at), ...added, ...lines.slice(at + removed), ""].join("\n")
      const file = { path: "a.txt", action: "change" as const, added: added.length, removed }
      const hunks = [hunkOf(lines, at, removed, added)]
      expect(previewDiffs([{ ...file, hunks }], source({ "/project/a.txt": before }))).toEqual([
        { type: "diff", path: "/project/a.txt", oldText: before, newText: after },
      ])
    }),
  )
})

test("hunks that do not fit the file any more are shown by themselves", () => {
  const hunks = [hunkOf(["one", "two"], 1, 1, ["2"])]
  const file = { path: "a.txt", action: "change" as const, added: 1, removed: 1, hunks }
  expect(previewDiffs([file], source({ "/project/a.txt": "something else\n" }))).toEqual([
    { type: "diff", path: "/project/a.txt", oldText: "one\ntwo\n", newText: "one\n2\n" },
  ])
})

test("what a call changed is told only where both texts are known and are text", async () => {
  const hash = (digit: string) => digit.repeat(64)
  const effect = {
    kind: "fs.write" as const,
    path: "/project/a.txt",
    before: hash("a"),
    after: hash("b"),
    kept: true as const,
  }
  const diffs = (effects: readonly object[], kept: Readonly<Record<string, Uint8Array>>) =>
    effectDiffs({ effects } as unknown as CallRecord, source({ "/project/a.txt": "new\n" }, kept))
  const old = new TextEncoder().encode("old\n")
  expect(await diffs([effect], { [hash("a")]: old })).toEqual([
    { type: "diff", path: "/project/a.txt", oldText: "old\n", newText: "new\n" },
  ])
  expect(await diffs([{ ...effect, before: null }], {})).toMatchObject([{ oldText: null, newText: "new\n" }])
  expect(await diffs([{ ...effect, kept: "it is a secret" }], { [hash("a")]: old })).toEqual([])
  expect(await diffs([effect], { [hash("a")]: new Uint8Array([0xff, 0xfe, 0x00]) })).toEqual([])
  expect(await diffs([{ ...effect, before: "link:elsewhere" }], {})).toEqual([])
})

test("what calls changed together is one change a file, against what is there now", async () => {
  const change = (path: string, before: string | null, after: string | null, kept: true | string = true) => {
    const [one, other] = [before, after].map((text) => (text === null ? null : hashOf(text)))
    return { kind: "fs.write" as const, path, before: one!, after: other!, kept }
  }
  const call = (...effects: readonly unknown[]) => ({ effects }) as unknown as CallRecord
  const calls = [
    call(change("/project/b", "1", "2"), change("/project/a", null, "x"), { kind: "fs.read", path: "/project/r" }),
    call(change("/project/b", "2", "3"), change("/project/gone", "1", null), change("/project/back", "1", "2")),
    call(change("/project/undone", null, "x"), change("/project/secret", "1", "2", "a secret")),
    call({ kind: "fs.write", path: "/project/folder", before: null, after: "folder", kept: true }),
  ]
  const now = { "/project/a": "x", "/project/b": "3", "/project/back": "1", "/project/secret": "2" }
  const shown = await changedFiles(calls, source(now, { [hashOf("1")]: Buffer.from("1") }))
  expect(shown.map(({ path, change: kind, diff }) => [path, kind, diff?.oldText, diff?.newText])).toEqual([
    ["/project/a", "created", null, "x"],
    ["/project/b", "changed", "1", "3"],
    ["/project/folder", "created", undefined, undefined],
    ["/project/gone", "deleted", "1", ""],
    ["/project/secret", "changed", undefined, undefined],
  ])
})
