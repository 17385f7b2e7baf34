import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "../session-files.js"

let folder: string
let files: SessionFiles
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-peek-")))
  mkdirSync(join(folder, "root/sub"), { recursive: true })
  writeFileSync(join(folder, "secret"), "SECRET")
  writeFileSync(join(folder, "root/a"), "text")
})
afterEach(async () => {
  await files.close()
  rmSync(folder, { recursive: true })
})

test("a text is distinguished from what is missing and from what cannot be read", () => {
  const at = (name: string) => join(folder, "root", name)
  writeFileSync(at("large"), "x".repeat(1024 * 1024 + 1))
  symlinkSync("a", at("inner"))
  symlinkSync("../secret", at("outer"))
  symlinkSync("nowhere", at("dangling"))
  symlinkSync("loop", at("loop"))
  const root = join(folder, "root")
  const state = { sessionFolder: join(folder, "session"), historyFolder: join(folder, "history") }
  files = openSessionFiles({ roots: [root], directory: root, ...state })
  const seen = (name: string) => files.peek(at(name))
  expect(["a", "inner"].map(seen)).toEqual(["text", "text"])
  expect(["none", "a/none", "dangling"].map(seen)).toEqual([undefined, undefined, undefined])
  expect(["large", "sub", "outer", "loop", "../secret"].map(seen)).toEqual([null, null, null, null, null])
  const refused = (name: string) => files.peek(at(name), (path) => path !== at("a"))
  expect(["a", "inner"].map(refused)).toEqual([undefined, undefined])
})
