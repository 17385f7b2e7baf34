import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { StoreOpener } from "./session-journal.js"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-opener-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test("a state folder that cannot be used is said with its name and the next step, and is tried again", async () => {
  const home = join(folder, "state")
  await writeFile(home, "in the way")
  const opener = new StoreOpener({ home, location: join(home, "journal.db"), secrets: [] })
  await expect(opener.store()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining(home),
    hint: expect.stringContaining("HAFT_HOME"),
  })
  await rm(home)
  expect(await (await opener.store()).session("ses_none")).toBeUndefined()
  await opener.close()
})
