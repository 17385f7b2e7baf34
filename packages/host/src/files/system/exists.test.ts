import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { exists } from "./look.js"

const folder = mkdtempSync(join(tmpdir(), "haft-exists-"))
writeFileSync(join(folder, "file"), "")
mkdirSync(join(folder, "folder"))
symlinkSync("nowhere", join(folder, "broken link"))
symlinkSync("loop", join(folder, "loop"))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ["file", true],
  ["folder", true],
  ["folder/", true],
  ["broken link", true],
  ["loop", true],
  ["absent", false],
  ["file/below", false],
  ["loop/below", false],
  ["a\0b", false],
  ["x".repeat(5000), false],
])("%s", (name, answer) => {
  expect(exists(`${folder}/${name}`)).toBe(answer)
})
