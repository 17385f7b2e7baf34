import { copyFile, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Store } from "@haft/store"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

// A journal that Haft wrote in November 2026: six calls of file tools, two commands and an undo. The file is never
// made anew: it shows that what people have on their disks still opens.
const stored = fileURLToPath(new URL("./stored/journal.db", import.meta.url))
const sessionId = "ses_1e4ab237500069lEqPgZuEO711"

let world: LibraryWorld
let store: Store

beforeEach(async () => {
  world = await libraryWorld()
  await mkdir(world.home)
  await copyFile(stored, join(world.home, "journal.db"))
  store = await (await world.haft()).store()
})
afterEach(() => world.remove())

test("a stored journal is listed and its chain holds", async () => {
  expect((await store.sessions()).map(({ id }) => id)).toEqual([sessionId])
  expect(await store.verify(sessionId)).toMatchObject({ ok: true, parts: 9, open: 0 })
})

test("its calls are read with arguments, ladder, effects and envelope", async () => {
  const calls = await store.calls(sessionId)
  expect(calls.map(({ tool, envelope }) => [tool, envelope?.type])).toEqual([
    ["read", "output"],
    ["write", "output"],
    ["edit", "output"],
    ["read", "error"],
    ["grep", "output"],
    ["read", "error"],
    ["bash", "output"],
    ["bash", "output"],
  ])
  expect(calls[3]).toMatchObject({ ladder: { verdict: "deny" }, arguments: { file_path: ".env" } })
  expect(calls[2]!.effects[1]).toMatchObject({ kind: "fs.write", path: "/tmp/stored/workspace/a.txt", kept: true })
  // A profile of the sandbox may be renamed; a record keeps the name that it was written with.
  expect(calls[6]).toMatchObject({ envelope: { data: { stdout: "done\n", isolation: { profile: "work" } } } })
  expect(await store.undoneAt(calls[6]!.callId)).toBeGreaterThan(0)
})

test("an export of it is imported elsewhere and verified there", async () => {
  const lines: string[] = []
  for await (const line of store.exportLines(sessionId)) lines.push(line)
  const other = await libraryWorld()
  try {
    const elsewhere = await (await other.haft()).store()
    const id = await elsewhere.importLines(lines)
    expect(await elsewhere.verify(id)).toMatchObject({ ok: true, parts: 9 })
  } finally {
    await other.remove()
  }
})
