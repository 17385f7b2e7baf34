import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { folderIdentity } from "./folder-identity.js"
import { readTrust, removeTrust, saveTrust, trustFile, trustOf } from "./trust-store.js"

let base: string
let home: string
let work: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-trust-"))
  home = join(base, "config")
  work = join(base, "work")
  mkdirSync(work)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const trust = (entries: readonly string[] = []) => saveTrust(home, { ...folderIdentity(work), entries, at: 1 })

describe("trust of a folder", () => {
  test("is kept outside of it and readable by the user alone", () => {
    trust(["a"])
    expect(statSync(trustFile(home)).mode & 0o777).toBe(0o600)
    expect(trustOf(readTrust(home), folderIdentity(work))).toEqual({ state: "trusted", entries: new Set(["a"]) })
  })

  test("is the same through a link to the folder", () => {
    trust()
    symlinkSync(work, join(base, "link"))
    expect(trustOf(readTrust(home), folderIdentity(join(base, "link"))).state).toBe("trusted")
  })

  test("does not pass to another folder at the same path", () => {
    trust(["a"])
    renameSync(work, join(base, "old"))
    mkdirSync(work)
    expect(trustOf(readTrust(home), folderIdentity(work))).toEqual({ state: "replaced", entries: new Set() })
  })

  test("does not follow a folder that moves", () => {
    trust()
    renameSync(work, join(base, "moved"))
    expect(trustOf(readTrust(home), folderIdentity(join(base, "moved"))).state).toBe("untrusted")
  })

  test("is replaced by a later one and can be taken back", () => {
    trust(["a"])
    trust(["b"])
    expect(readTrust(home)).toHaveLength(1)
    expect(removeTrust(home, folderIdentity(work).path)).toBe(true)
    expect(removeTrust(home, folderIdentity(work).path)).toBe(false)
    expect(readTrust(home)).toEqual([])
  })

  test.each(["", "[]", '{"folders":[{}]}', '{"folders":[{"path":1}]}', "\u0000"])(
    "a damaged file stops the start: %j",
    (text) => {
      mkdirSync(home)
      writeFileSync(trustFile(home), text)
      expect(() => readTrust(home)).toThrow(ToolError)
      expect(readFileSync(trustFile(home), "utf8")).toBe(text)
    },
  )

  test("a missing folder and a file are distinguished", () => {
    writeFileSync(join(base, "file"), "")
    expect(() => folderIdentity(join(base, "none"))).toThrow("does not exist")
    expect(() => folderIdentity(join(base, "file"))).toThrow("it is a file")
  })
})
