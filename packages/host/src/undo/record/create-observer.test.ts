import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { ObservedChanges, SandboxedGrant } from "@haft/contract"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createTestSession, type TestSession } from "../../run/process/testing/test-session.js"
import { undoEffects } from "../restore/undo-effects.js"
import { createObserver, type Observer, type ObserverOptions } from "./create-observer.js"

let session: TestSession
let observer: Observer
const open = (limits: ObserverOptions["limits"] = {}) => {
  observer = createObserver({ ...session.place, limits })
}
beforeEach(() => {
  session = createTestSession()
  open()
})
afterEach(async () => {
  await observer.close()
  session.remove()
})

const at = (path: string) => join(session.root, path)
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}
const content = (path: string) => readFileSync(at(path), "utf8")
const shell = (command: string) => void execFileSync("bash", ["-c", command], { cwd: session.root })
const undo = () => undoEffects(session.effects, { historyFolder: session.historyFolder, roots: [session.root] })

async function during(work: () => void, grant: Partial<SandboxedGrant> = {}): Promise<ObservedChanges> {
  const observation = await observer.begin(session.call({ grant }))
  work()
  return observation.end()
}

describe("what a command changed", () => {
  test("is told by path: written, created and deleted, and nothing else", async () => {
    put("same", "same")
    put("changed", "before")
    put("gone", "gone")
    const changes = await during(() => shell("echo after > changed; rm gone; mkdir -p a/b; echo new > a/b/new"))
    expect(changes).toEqual({
      written: ["a/b/new", "changed"],
      deleted: ["gone"],
      unexpected: [],
      protectedCreated: [],
      complete: true,
    })
    expect(session.effects.map(({ kind }) => kind)).toEqual(["fs.write", "fs.write", "fs.delete"])
  })

  test("a file that was touched or rewritten with the same content is no change", async () => {
    put("same", "same")
    const changes = await during(() => shell("touch same; cp same x; cat x > same; rm x"))
    expect(changes).toMatchObject({ written: [], deleted: [], complete: true })
    expect(session.effects).toEqual([])
  })

  test("a change under an old date is found", async () => {
    put("file", "one")
    const changes = await during(() => shell("cp -p file ref; printf two > file; touch -r ref file; rm ref"))
    expect(changes.written).toEqual(["file"])
    await undo()
    expect(content("file")).toBe("one")
  })

  test("beyond what was judged is named as unexpected", async () => {
    const grant = { admits: (_: string, path: string) => path === at("known") }
    const changes = await during(() => shell("echo > known; echo > surprise"), grant)
    expect(changes).toMatchObject({ written: ["known", "surprise"], unexpected: ["surprise"] })
  })

  test("names that other programs obey are told when they appear anywhere in the tree", async () => {
    const changes = await during(() =>
      shell("mkdir -p deep/er/.vscode; echo > deep/er/.vscode/tasks.json; echo > deep/.envrc"),
    )
    expect(changes.protectedCreated).toEqual(["deep/.envrc", "deep/er/.vscode/tasks.json"])
  })

  test("git's records and installed packages are told as their folder and are not undone", async () => {
    shell(
      "git init -q . && git config user.email a@b && git config user.name n && mkdir -p node_modules/old && echo > node_modules/old/x",
    )
    put("file", "one")
    const changes = await during(() =>
      shell(
        "git add file && git commit -qm first && echo y > node_modules/old/y && mkdir node_modules/new && echo two > file",
      ),
    )
    expect(changes.written).toEqual([".git", "file", "node_modules/new", "node_modules/old"])
    const head = content(".git/logs/HEAD")
    await undo()
    expect(content("file")).toBe("one")
    expect(content(".git/logs/HEAD")).toBe(head)
    expect(existsSync(at("node_modules/new"))).toBe(true)
  })

  test("what somebody changed before the command is not the command's", async () => {
    put("file", "one")
    await during(() => undefined)
    put("file", "by a person")
    expect(await during(() => put("other", "x"))).toMatchObject({ written: ["other"] })
  })

  test("commands that overlap tell each change once and say that it may be another's", async () => {
    const first = await observer.begin(session.call())
    put("a", "a")
    const second = await observer.begin(session.call())
    put("b", "b")
    const [one, two] = [await first.end(), await second.end()]
    expect(one).toMatchObject({ written: ["a", "b"], note: expect.stringContaining("at the same time") })
    expect(two).toMatchObject({ written: [], note: expect.stringContaining("at the same time") })
    expect(await first.end()).toEqual(one)
    expect(session.effects).toHaveLength(2)
  })

  test("of files from outside the workspace is never kept, whatever links lead there", async () => {
    const outside = join(session.sessionFolder, "outside")
    mkdirSync(outside)
    writeFileSync(join(outside, "secret"), "secret")
    symlinkSync(outside, at("link"))
    const changes = await during(() => {
      writeFileSync(join(outside, "secret"), "changed")
      unlinkSync(at("link"))
      symlinkSync("elsewhere", at("link"))
    })
    expect(changes.written).toEqual(["link"])
    expect(existsSync(session.historyFolder)).toBe(false)
  })
})

describe("undo of a command", () => {
  test("brings back a whole tree after rm -rf, with content and mode", async () => {
    const files: Record<string, string> = { "top.txt": "top" }
    for (let n = 0; n < 50; n++) files[`src/dir${n % 7}/file${n}.txt`] = `content ${n}`
    for (const [path, text] of Object.entries(files)) put(path, text)
    chmodSync(at("src/dir1/file1.txt"), 0o755)
    const changes = await during(() => shell("rm -rf -- * "))
    expect(changes.deleted).toHaveLength(51)
    expect(changes.complete).toBe(true)
    expect(readdirSync(session.root)).toEqual([])
    const report = await undo()
    expect(report.restored).toHaveLength(51)
    for (const [path, text] of Object.entries(files)) expect(content(path)).toBe(text)
    expect(statSync(at("src/dir1/file1.txt")).mode & 0o777).toBe(0o755)
  })

  test("removes what was created, with its folders, and restores what was changed", async () => {
    put("file", "one")
    await during(() => shell("mkdir -p x/y; echo > x/y/new; echo two > file; mv file moved"))
    await undo()
    expect(content("file")).toBe("one")
    expect(readdirSync(session.root)).toEqual(["file"])
  })

  test("goes back over several commands", async () => {
    put("file", "one")
    await during(() => put("file", "two"))
    await during(() => rmSync(at("file")))
    await during(() => put("file", "three"))
    await undo()
    expect(content("file")).toBe("one")
  })

  test("any mix of changes goes back to exactly what was there", async () => {
    const names = ["a", "b", "d/a", "d/b", "d/e/a"]
    const step = fc.tuple(fc.constantFrom(...names), fc.option(fc.uint8Array({ maxLength: 20 }), { nil: null }))
    const tree = () => names.map((name) => (existsSync(at(name)) ? readFileSync(at(name), "hex") : null))
    const apply = (steps: readonly [string, Uint8Array | null][]) => {
      for (const [name, bytes] of steps) {
        if (bytes) put(name, bytes)
        else rmSync(at(name), { force: true })
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), async (setup, work) => {
        rmSync(session.root, { recursive: true, force: true })
        mkdirSync(session.root)
        session.effects.length = 0
        apply(setup)
        const before = tree()
        await during(() => apply(work))
        await undo()
        expect(tree()).toEqual(before)
      }),
      { numRuns: 25 },
    )
  })
})

describe("limits", () => {
  test("a large file is kept only before a command that was judged to write it", async () => {
    open({ fileBytes: 100, judgedFileBytes: 10_000 })
    put("big", "x".repeat(1000))
    const refused = await during(() => put("big", "changed"), { admits: () => false })
    expect(refused).toMatchObject({ complete: false, note: expect.stringContaining('"big"') })
    await expect(undo()).rejects.toMatchObject({ code: "unsupported" })
    session.effects.length = 0
    put("big", "y".repeat(1000))
    expect(await during(() => put("big", "changed"), { admits: () => true })).toMatchObject({ complete: true })
    await undo()
    expect(content("big")).toBe("y".repeat(1000))
  })

  test("a file that a rule names as secret is never kept", async () => {
    put(".env", "TOKEN=1")
    const changes = await during(() => put(".env", "TOKEN=2"), { mayKeep: (path) => !path.endsWith(".env") })
    expect(changes.note).toContain("a rule names it as secret")
    expect(existsSync(session.historyFolder)).toBe(false)
  })

  test("a workspace that is too large is said to be, and costs the next command nothing", async () => {
    open({ entries: 10 })
    for (let n = 0; n < 20; n++) put(`file${n}`, "x")
    const changes = await during(() => put("new", "x"))
    expect(changes).toMatchObject({ complete: false, written: [], note: expect.stringContaining("too large") })
    expect((await during(() => put("newer", "x"))).complete).toBe(false)
  })

  test("more changes than are listed are counted", async () => {
    open({ changes: 5 })
    const changes = await during(() => {
      for (let n = 0; n < 8; n++) put(`file${n}`, "x")
    })
    expect(changes).toMatchObject({ complete: false, note: "3 more changes are not listed and cannot be undone" })
    expect(changes.written).toHaveLength(5)
  })

  test("of more changes than are listed none is undone that may hold the last copy of what was there", async () => {
    open({ changes: 5 })
    for (let n = 0; n < 4; n++) put(`old/file${n}`, `content ${n}`)
    await during(() => shell("mv old and; echo > new"))
    const report = await undo()
    expect(report.removed).toEqual([])
    expect(report.left).toContainEqual({
      path: session.root,
      reason: "its former content was not kept: 4 more changes were not recorded",
    })
    for (let n = 0; n < 4; n++) {
      expect([content(`old/file${n}`), content(`and/file${n}`)]).toEqual([`content ${n}`, `content ${n}`])
    }
  })

  test("what is gone comes back although something else was not kept, and nothing that is there is touched", async () => {
    open({ fileBytes: 100, judgedFileBytes: 100 })
    put("big", "x".repeat(1000))
    put("small", "small")
    put("changed", "one")
    await during(() => shell("cp big copy; cp big changed; rm big small"))
    const { restored, removed, left } = await undo()
    expect([restored, removed]).toEqual([[at("small")], []])
    expect(left?.map(({ path }) => path).sort()).toEqual([at("big"), at("changed"), at("copy")])
    expect([content("small"), content("copy"), content("changed")]).toEqual([
      "small",
      "x".repeat(1000),
      "x".repeat(1000),
    ])
  })

  test("what does not fit is kept by the next commands, the newest first", async () => {
    open({ totalBytes: 1000 })
    for (let n = 0; n < 10; n++) put(`file${n}`, "x".repeat(300))
    const changes = await during(() => shell("rm file*"))
    expect(changes).toMatchObject({ complete: false, note: expect.stringContaining("larger than what is kept") })
    expect(session.effects.filter((effect) => "kept" in effect && effect.kept === true)).toHaveLength(3)
  })

  test("what a command was seen to name is kept first, whatever else is there", async () => {
    open({ totalBytes: 1000 })
    for (let n = 0; n < 10; n++) put(`file${n}`, "x".repeat(300))
    const grant = { writes: [at("file0")] }
    expect(await during(() => shell("rm file0"), grant as Partial<SandboxedGrant>)).toMatchObject({ complete: true })
  })

  test("files of any size are kept byte by byte", async () => {
    open({ fileBytes: 5_000_000 })
    const sizes = [0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000]
    const contents = sizes.map((size) => Buffer.alloc(size, `${size}-`))
    contents.forEach((bytes, n) => {
      put(`file${n}`, bytes)
    })
    expect(await during(() => shell("rm file*"))).toMatchObject({ complete: true })
    await undo()
    contents.forEach((bytes, n) => {
      expect(readFileSync(at(`file${n}`)).equals(bytes)).toBe(true)
    })
  })

  test("copies leave nothing in the session's folder", async () => {
    put("file", "x".repeat(1000))
    const observation = await observer.begin(session.call())
    put("file", "y")
    await observation.end()
    expect(readdirSync(join(session.sessionFolder, "before"))).toEqual([])
  })
})
