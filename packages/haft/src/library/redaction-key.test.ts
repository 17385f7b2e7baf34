import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { redactionKey } from "./redaction-key.js"

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-key-"))
  path = join(folder, "redaction.key")
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test("everyone who asks at the same moment gets the same whole key, which only the user may read", async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => redactionKey(path)))
  const kept = await readFile(path)
  expect(kept).toHaveLength(32)
  for (const key of keys) expect(Buffer.from(key)).toEqual(kept)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(["redaction.key"])
})

test("an empty key that a crash left is replaced, never used", async () => {
  await writeFile(path, "")
  const key = await redactionKey(path)
  expect(key).toHaveLength(32)
  expect(Buffer.from(await redactionKey(path))).toEqual(Buffer.from(key))
})
