import { expect, test } from "vitest"
import { compareSnapshots } from "./compare-snapshots.js"
import type { Entry } from "./scan-workspace.js"

const file: Entry = { kind: "file", within: undefined, ino: 1, size: 1, mtimeMs: 1, ctimeMs: 1, mode: 0o644 }
const folder: Entry = { ...file, kind: "directory", mode: 0o755 }
const closed: Entry = { ...folder, mode: 0o000, closed: true }

const differing = (before: Readonly<Record<string, Entry>>, after: Readonly<Record<string, Entry>>) =>
  compareSnapshots(new Map(Object.entries(before)), new Map(Object.entries(after))).map(({ path }) => path)

test("what is in a folder that was closed is not gone", () => {
  const before = { "/d": folder, "/d/a": file, "/d/deep": folder, "/d/deep/b": file, "/dd": file }
  expect(differing(before, { "/d": closed })).toEqual(["/d", "/dd"])
})

test("what is in a folder that was opened is not new: an undo would remove it", () => {
  expect(differing({ "/d": closed }, { "/d": folder, "/d/a": file, "/dd": file })).toEqual(["/d", "/dd"])
})

test("a folder is told of for its mode, also when something in it changed", () => {
  const strict = { ...folder, mode: 0o700 }
  expect(differing({ "/d": folder }, { "/d": strict, "/d/a": file })).toEqual(["/d", "/d/a"])
  expect(differing({ "/d": folder }, { "/d": { ...folder, mtimeMs: 2 }, "/d/a": file })).toEqual(["/d/a"])
})
