import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CallScope } from "@haft/contract"
import { afterEach, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "./files/session-files.js"
import { noteWrites } from "./process-ports.js"

const call: CallScope = {
  ...{ callId: "call_test", sessionId: "session_test", signal: new AbortController().signal },
  ...{ deadlineMs: Number.POSITIVE_INFINITY, observe: () => undefined },
  grant: { admits: () => true, mayKeep: () => true },
}
let root: string
let session: SessionFiles
afterEach(async () => {
  await session?.close()
  await rm(root, { recursive: true, force: true })
})

test("every write is told with what it replaced, and a failed one is not", async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "haft-notes-")))
  const state = { sessionFolder: join(root, ".session"), historyFolder: join(root, ".history") }
  session = openSessionFiles({ roots: [root], directory: root, ...state })
  const noted: unknown[] = []
  const noteWrite = (path: string, before: Uint8Array | undefined) =>
    noted.push([path, before && Buffer.from(before).toString()])
  const files = noteWrites(session.files(call), { noteWrite })
  await files.write("a.ts", Buffer.from("one"))
  await files.update("a.ts", { maxBytes: 100 }, () => Buffer.from("two"))
  await expect(files.write("../b.ts", Buffer.from("x"))).rejects.toThrow("outside")
  expect(noted).toEqual([
    [join(root, "a.ts"), undefined],
    [join(root, "a.ts"), "one"],
  ])
  expect(Buffer.from((await files.readAll("a.ts", { maxBytes: 10 })).bytes).toString()).toBe("two")
})
