import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { undoEffects } from "../../undo/restore/undo-effects.js"
import { contentHash } from "../system/content-hash.js"

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const put = (path: string, content = path) => writeFileSync(at(path), content)
const undo = () => undoEffects(ground.effects, { historyFolder: ground.historyFolder, roots: [ground.root] })

test("a removed file is gone, its content is kept, and undo brings it back with its mode", async () => {
  put("a", "former")
  chmodSync(at("a"), 0o750)
  const receipt = await ground.files().remove("a")
  expect([receipt.path, textOf(receipt.before)]).toEqual([at("a"), "former"])
  const before = contentHash(bytes("former"))
  expect(ground.effects).toEqual([{ kind: "fs.delete", path: at("a"), before, after: null, kept: true, mode: 0o750 }])
  expect(existsSync(at("a"))).toBe(false)
  await undo()
  expect(readFileSync(at("a"), "utf8")).toBe("former")
  expect(statSync(at("a")).mode & 0o777).toBe(0o750)
})

test("a file with a second name is copied to the history, so that nobody changes it there", async () => {
  put("a", "former")
  linkSync(at("a"), at("b"))
  await ground.files().remove("a")
  writeFileSync(at("b"), "scribbled")
  await undo()
  expect(readFileSync(at("a"), "utf8")).toBe("former")
})

test("other content than expected is a conflict and the file stays", async () => {
  put("a")
  const error = await failureOf(ground.files().remove("a", { expectHash: contentHash(bytes("other")) }))
  expect(error.code).toBe("conflict")
  expect(existsSync(at("a"))).toBe(true)
  await ground.files().remove("a", { expectHash: contentHash(bytes("a")) })
  expect(existsSync(at("a"))).toBe(false)
})

test("a link is removed itself, not what it leads to, and undo brings it back", async () => {
  put("a")
  symlinkSync("a", at("link"))
  symlinkSync(ground.outside, at("out"))
  expect(await ground.files().remove("link")).toEqual({ path: at("link"), before: undefined })
  await ground.files().remove("out")
  expect(readdirSync(ground.root)).toEqual(["a"])
  expect(existsSync(ground.outside)).toBe(true)
  expect((await undo()).restored).toEqual([at("out"), at("link")])
  expect([readlinkSync(at("link")), readlinkSync(at("out"))]).toEqual(["a", ground.outside])
})

test("what a rule names as secret is not kept and not handed out", async () => {
  put("a")
  const receipt = await ground.files({ grant: { mayKeep: () => false } }).remove("a")
  expect(receipt.before).toBeUndefined()
  expect(ground.effects).toMatchObject([{ kept: "a rule names it as secret" }])
  expect((await failureOf(undo())).code).toBe("unsupported")
})

test("folders, roots, missing and denied paths are refused", async () => {
  mkdirSync(at("d"))
  put("near")
  expect((await failureOf(ground.files().remove("d"))).code).toBe("unsupported")
  expect((await failureOf(ground.files().remove("."))).code).toBe("unsupported")
  expect((await failureOf(ground.files().remove("naer"))).message).toContain("near")
  expect((await failureOf(ground.files().remove("../x"))).code).toBe("denied")
  const error = await failureOf(ground.files({ grant: { admits: (kind) => kind !== "fs.delete" } }).remove("near"))
  expect([error.code, error.message]).toEqual(["denied", expect.stringContaining("may not remove it")])
  expect(readdirSync(ground.root).sort()).toEqual(["d", "near"])
})

test("what a call made and removed again leaves no folders, and what it removed and wrote again has its mode", async () => {
  put("a")
  chmodSync(at("a"), 0o755)
  const files = ground.files()
  await files.write("new/deep/file", bytes("x"))
  await files.remove("new/deep/file")
  const { before } = await files.remove("a")
  await files.write("a", before!)
  expect(readdirSync(ground.root)).toEqual(["a"])
  expect(statSync(at("a")).mode & 0o777).toBe(0o755)
  expect(await undo()).toEqual({ restored: [], removed: [], removedDirectories: [] })
})

test("a folder that another call made stays", async () => {
  await ground.files().write("new/file", bytes("x"))
  await ground.files().remove("new/file")
  expect(readdirSync(ground.root)).toEqual(["new"])
})

test("a cancelled call may take back what it did, and nothing else", async () => {
  put("a")
  put("b")
  put("c")
  const abort = new AbortController()
  const files = ground.files({ signal: abort.signal })
  await files.move("a", "new/a")
  const { before } = await files.remove("b")
  await files.write("d", bytes("x"))
  abort.abort()
  expect((await failureOf(files.remove("c"))).code).toBe("cancelled")
  expect((await failureOf(files.move("c", "e"))).code).toBe("cancelled")
  await files.remove("d")
  await files.write("b", before!)
  await files.move("new/a", "a")
  expect(readdirSync(ground.root).sort()).toEqual(["a", "b", "c"])
})
