import { linkSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createTurns } from "./create-turns.js"
import { factsOf } from "./directory-facts.js"
import { FactsAhead, type SeenRecord } from "./facts-ahead.js"
import { KnownDirectories } from "./known-directories.js"
import { lookAtDirectories } from "./look-at-entries.js"
import { readDirectory } from "./read-directory.js"

const base = mkdtempSync(join(tmpdir(), "haft-ahead-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))
mkdirSync(join(base, "many"))
for (let number = 0; number < 30; number += 1) writeFileSync(join(base, "many", `file ${number}\n`), "x".repeat(number))
mkdirSync(join(base, "few", "folder"), { recursive: true })
linkSync(join(base, "many", "file 7\n"), join(base, "few", "second name"))
symlinkSync("elsewhere", join(base, "few", "link"))
mkdirSync(join(base, "few", "folder", "only a folder"), { recursive: true })

const record = (name: string) => {
  const path = join(base, name)
  const zone = { unread: undefined, observed: "plain" } as const
  return readDirectory({ path, place: path, zone, isRoot: false, stats: undefined, before: undefined })
}
const allSeen = async (looking: FactsAhead, maxMs: number) => {
  const seen: SeenRecord[] = []
  for await (const records of looking.seen(maxMs)) seen.push(...records)
  return new Map(seen)
}
const ahead = (threadFrom: number) => new FactsAhead(threadFrom)

test("a second thread sees sizes, links and further names of files", async () => {
  const directories = ["many", "few", "few/folder"].map(record)
  const looking = ahead(1)
  for (const directory of directories) looking.add(directory, directory.path)
  const seen = await allSeen(looking, 10_000)
  expect(new Set(seen.keys())).toEqual(new Set(directories))
  const [many, few, folder] = directories.map((one) => factsOf(one, lstatSync(one.path), seen.get(one)!))
  expect(many!.entries.get("file 29\n")).toMatchObject({ kind: "file", size: 29 })
  expect(many!.linked).toEqual(["file 7\n"])
  expect(few!.entries.get("second name")).toMatchObject({ kind: "file", size: 7 })
  expect(few!.entries.get("link")).toMatchObject({ kind: "link", text: "elsewhere" })
  expect(few!.entries.get("folder")).toMatchObject({ kind: "directory" })
  expect(folder!.entries.directory("only a folder")?.ino).toBe(lstatSync(join(base, "few/folder/only a folder")).ino)
})

test("no thread is started for few entries", async () => {
  const looking = ahead(1000)
  looking.add(record("many"), join(base, "many"))
  expect(looking.thread).toBeUndefined()
  expect((await allSeen(looking, 10_000)).size).toBe(1)
})

test("what the thread has not come to in time is left to the caller", async () => {
  const looking = ahead(1)
  looking.add(record("many"), join(base, "many"))
  expect((await allSeen(looking, 0)).size).toBe(0)
  looking.add(record("few"), join(base, "few"))
  expect((await allSeen(looking, 0)).size).toBe(0)
})

test.each([
  ["counts while its record stays", false, 3],
  ["does not count once an event had the directory read again", true, 6],
])("what the thread saw %s", async (_, isReadAgain, size) => {
  const folder = mkdtempSync(join(base, "known-"))
  const root = folder.slice(base.length + 1)
  writeFileSync(join(folder, "file"), "old")
  const known = new KnownDirectories(folder, (path) => path, 1)
  known.lookAhead()
  const first = record(root)
  known.replace(folder, undefined, first)
  known.ahead!.add(first, first.path)
  expect((await allSeen(known.ahead!, 10_000)).size).toBe(1)
  writeFileSync(join(folder, "file"), "longer")
  if (isReadAgain) known.replace(folder, first, record(root))
  expect(await known.readFacts({ maxMs: 10_000, maxEntries: 100 }, createTurns())).toBe(true)
  expect(known.byPath.get(folder)?.facts?.entries.get("file")?.size).toBe(size)
})

test("what the thread saw by a plain path does not count when that leads elsewhere now", async () => {
  const [held, other] = [mkdtempSync(join(base, "held-")), mkdtempSync(join(base, "other-"))]
  writeFileSync(join(held, "file"), "old")
  writeFileSync(join(other, "file"), "another one")
  let isMoved = false
  const known = new KnownDirectories(held, (path) => (isMoved ? path.replace(held, `${held}-away`) : path), 1)
  known.lookAhead()
  const first = record(held.slice(base.length + 1))
  known.replace(held, undefined, first)
  known.ahead!.add(first, first.path)
  await allSeen(known.ahead!, 10_000)
  writeFileSync(join(held, "file"), "longer")
  renameSync(held, `${held}-away`)
  renameSync(other, held)
  isMoved = true
  expect(await known.readFacts({ maxMs: 10_000, maxEntries: 100 }, createTurns())).toBe(true)
  expect(known.byPath.get(held)?.facts?.entries.get("file")?.size).toBe(6)
})

test("what one thread has begun with is left alone by the other", () => {
  const many = record("many")
  const numbers = new Float64Array(new SharedArrayBuffer(many.entries.length * 6 * 8))
  const request = {
    text: `${many.path}\0${many.entries.text}`,
    numbers,
    claim: new Int32Array(new SharedArrayBuffer(4)),
  }
  expect(lookAtDirectories(request)?.get(0)?.linked).toEqual(["file 7\n"])
  expect(lookAtDirectories(request)).toBeUndefined()
})

test("what a thread that ended had begun with is left to the caller", async () => {
  const looking = ahead(1)
  for (const name of ["many", "few"]) looking.add(record(name), join(base, name))
  looking.thread!.end()
  const seen = await allSeen(looking, 10_000)
  for (const [directory, { numbers, offset }] of seen)
    expect(numbers[offset + 1]).toBe(lstatSync(join(directory.path, directory.entries.names()[0]!)).ino)
})
