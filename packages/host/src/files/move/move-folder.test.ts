import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Grant } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { callScope, createFileGround, type FileGround, failureOf } from "../../../test/file-ground.js"
import { readTree } from "../../../test/read-tree.js"
import { undoEffects } from "../../undo/restore/undo-effects.js"
import { createWriter } from "../write/writer.js"

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const put = (path: string, content = path) => {
  mkdirSync(join(at(path), ".."), { recursive: true })
  writeFileSync(at(path), content)
}
const undo = () => undoEffects(ground.effects, { historyFolder: ground.historyFolder, roots: [ground.root] })
const move = (from: string, to: string) => ground.files().move(from, to)
const tree = () => readTree(ground.root)
const denying = (denied: (kind: string, path: string) => boolean): { grant: Partial<Grant> } => ({
  grant: { admits: (kind, path) => !denied(kind, path) },
})

describe("moving a folder", () => {
  test("takes everything along, links and empty folders too, and names each file", async () => {
    put("d/one")
    put("d/sub/two")
    mkdirSync(at("d/empty"))
    symlinkSync("nowhere", at("d/link"))
    const receipt = await move("d", "e/f")
    expect(receipt).toEqual({ from: at("d"), to: at("e/f"), kind: "directory" })
    expect(tree()).toEqual({
      ...{ e: null, "e/f": null, "e/f/empty": null, "e/f/link": "-> nowhere", "e/f/one": "d/one" },
      ...{ "e/f/sub": null, "e/f/sub/two": "d/sub/two" },
    })
    const kinds = ground.effects.map((effect) => ("path" in effect ? `${effect.kind} ${effect.path}` : effect.kind))
    expect(kinds).toEqual([
      `fs.delete ${at("d/one")}`,
      `fs.write ${at("e/f/one")}`,
      `fs.delete ${at("d/sub/two")}`,
      `fs.write ${at("e/f/sub/two")}`,
    ])
  })

  test("undo brings every file back", async () => {
    put("d/one")
    put("d/sub/two")
    put("d/sub/same", "d/one")
    chmodSync(at("d/sub/same"), 0o755)
    const before = tree()
    await move("d", "e/f")
    await undo()
    expect(tree()).toEqual(before)
    expect(statSync(at("d/sub/same")).mode & 0o777).toBe(0o755)
    expect(statSync(at("d/one")).mode & 0o777).not.toBe(0o755)
  })

  test("a folder in the way is a conflict, also an empty one", async () => {
    put("d/one")
    mkdirSync(at("e"))
    expect((await failureOf(move("d", "e"))).code).toBe("conflict")
    expect(tree()).toEqual({ d: null, "d/one": "d/one", e: null })
  })

  test("into itself, with a root or the working directory in it: refused", async () => {
    put("d/sub/one")
    expect((await failureOf(move("d", "d/sub/d"))).code).toBe("invalid_args")
    const session = { ...ground.session, directory: at("d/sub") }
    const writer = createWriter(session, callScope([]))
    expect((await failureOf(writer.move("..", at("x")))).message).toContain("working directory")
    expect(existsSync(at("d/sub/one"))).toBe(true)
  })

  test("every entry is judged at its old and its new place", async () => {
    put("d/hooks/pre-commit")
    symlinkSync("x", at("d/link"))
    for (const [kind, path] of [
      ["fs.write", ".git/hooks/pre-commit"],
      ["fs.delete", "d/hooks/pre-commit"],
      ["fs.write", ".git/link"],
      ["fs.read", "d/hooks/pre-commit"],
    ]) {
      const files = ground.files(denying((asked, where) => asked === kind && where === at(path!)))
      const error = await failureOf(files.move("d", ".git"))
      expect([kind, path, error.code]).toEqual([kind, path, "denied"])
    }
    expect(existsSync(at("d/hooks/pre-commit"))).toBe(true)
    expect(existsSync(at(".git"))).toBe(false)
  })

  test("a folder with more entries than can be recorded is too large", async () => {
    mkdirSync(at("d"))
    for (let index = 0; index <= 10_000; index++) writeFileSync(at(`d/${index}`), "")
    expect((await failureOf(move("d", "e"))).code).toBe("too_large")
    unlinkSync(at("d/0"))
    await move("d", "e")
    expect(ground.effects).toHaveLength(20_000)
  }, 60_000)
})
