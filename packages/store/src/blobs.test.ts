import { hash } from "node:crypto"
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Blobs } from "./blobs.js"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-blobs-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test("a value that cannot be written leaves nothing behind", async () => {
  const name = hash("sha256", "text")
  await mkdir(join(folder, "ses_1", name), { recursive: true })
  await expect(new Blobs(folder).write("ses_1", "text")).rejects.toMatchObject({ code: "EISDIR" })
  expect(await readdir(join(folder, "ses_1"))).toEqual([name])
})
