import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { HomeQuota } from "./home-quota.js"

let folder: string
let room: HomeQuota
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-room-"))
  room = new HomeQuota({ folders: [folder], maxBytes: 100_000, shownAs: [folder], except: [] })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fill = (bytes: number) => {
  mkdirSync(join(folder, "deep/er"), { recursive: true })
  writeFileSync(join(folder, "deep/er/file"), Buffer.alloc(bytes, 1))
}

test("a folder within its size is left as it is", async () => {
  await room.enter()
  fill(50_000)
  room.leave()
  expect(await room.enter()).toEqual([])
  expect(readdirSync(folder)).toEqual(["deep"])
})

test("an overfull folder is emptied before the next command, and that is said", async () => {
  await room.enter()
  fill(200_000)
  room.leave()
  expect(await room.enter()).toEqual(["the home directory and /tmp held more than 100000 bytes and were emptied"])
  expect(readdirSync(folder)).toEqual([])
  expect(await room.enter()).toEqual([])
})

test("what was put there between two commands counts, also after the folder was measured", async () => {
  await room.enter()
  room.leave()
  await new Promise((resolve) => setTimeout(resolve, 50))
  fill(200_000)
  expect(await room.enter()).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([])
})

test("while others use it nothing is taken from under them: the next command is refused", async () => {
  await room.enter()
  await room.enter()
  fill(200_000)
  room.leave()
  await expect(room.enter()).rejects.toMatchObject({ code: "too_large", message: expect.stringContaining("in use") })
  expect(readdirSync(folder)).toEqual(["deep"])
  room.leave()
  expect(await room.enter()).toHaveLength(1)
})

test("many that come at once meet one emptied folder", async () => {
  await room.enter()
  fill(200_000)
  room.leave()
  const notes = await Promise.all([room.enter(), room.enter(), room.enter()])
  expect(notes.map((each) => each.length)).toEqual([1, 0, 0])
})
