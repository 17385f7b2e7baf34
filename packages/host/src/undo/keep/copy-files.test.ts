import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { SecondThread } from "../../workspace-index/index.js"
import { defaultObserveLimits } from "../record/observe-limits.js"
import type { Entry } from "../record/scan-workspace.js"
import { ContentPack } from "./content-pack.js"
import { copyFiles } from "./copy-files.js"
import { KeptContents } from "./keep-contents.js"

const base = mkdtempSync(join(tmpdir(), "haft-copies-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const put = (name: string, content: string) => {
  mkdirSync(join(base, "real"), { recursive: true })
  writeFileSync(join(base, "real", name), content)
  return join(base, "real", name)
}
const entryOf = (path: string): Entry => {
  const { ino, size, mtimeMs, ctimeMs, mode } = lstatSync(path)
  return { kind: "file", within: undefined, ino, size, mtimeMs, ctimeMs, mode: mode & 0o7777 }
}
const seenOf = ({ ino, size, mtimeMs, ctimeMs }: Entry) => [ino, size, mtimeMs, ctimeMs]

function copied(path: string, entry: Entry, room = 100): string | undefined {
  const bytes = new Uint8Array(room)
  const { offsets } = copyFiles({ paths: [path], seen: new Float64Array(seenOf(entry)), bytes })
  return offsets[0]! < 0 ? undefined : Buffer.from(bytes).toString("utf8", offsets[0], offsets[0]! + entry.size)
}

test("only a file that is still as it was seen is copied, by its own path, and where there is room", () => {
  const path = put("one", "content")
  const entry = entryOf(path)
  expect(copied(path, entry)).toBe("content")
  expect(copied(path, entry, 6)).toBeUndefined()
  symlinkSync("real", join(base, "link"))
  expect(copied(join(base, "link", "one"), entry)).toBeUndefined()
  writeFileSync(path, "another")
  utimesSync(path, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
  expect(copied(path, entry)).toBeUndefined()
  expect(copied(join(base, "real", "none"), entry)).toBeUndefined()
})

test.each([
  ["that copies", () => SecondThread.start()!],
  ["that has ended", () => endedThread()],
])("all that waits is in the pack, with a thread %s", async (_, start) => {
  const paths = Array.from({ length: 900 }, (_unused, number) => put(`f${number}`, `content ${number}`))
  paths.push(put("large", "x".repeat(3_000_000)))
  const entries = new Map(paths.map((path) => [path, entryOf(path)]))
  const changed = paths[5]!
  writeFileSync(changed, "changed since it was seen")
  const secret = paths[6]!
  const pack = new ContentPack(join(base, "pack"), 1e9)
  const contents = new KeptContents(pack, { ...defaultObserveLimits, fileBytes: 4e6, keepMs: 60_000 })
  contents.offerAll(
    (offer) => {
      for (const [path, { size, mtimeMs }] of entries)
        offer(join(base, "real"), path.slice(base.length + 6), size, mtimeMs)
    },
    () => true,
  )
  const grant = { admits: () => true, denies: () => false, mayKeep: (path: string) => path !== secret }
  const different: string[] = []
  const thread = start()
  await contents.keepWaiting(
    { snapshot: entries, grant, onDifferent: (folder) => different.push(folder) },
    { maxMs: 60_000, thread },
  )
  for (const [path, entry] of entries) {
    const expected = path === changed || path === secret ? undefined : contentOf(path)
    expect(pack.read(path, entry)?.toString()).toBe(expected)
  }
  expect(different).toEqual([join(base, "real")])
  pack.close()
  thread.end()
})

const contentOf = (path: string) =>
  path.endsWith("large") ? "x".repeat(3_000_000) : `content ${path.slice(base.length + 7)}`

function endedThread(): SecondThread {
  const thread = SecondThread.start()!
  thread.end()
  return thread
}
