import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { WorkspaceIndex } from "../../workspace-index/index.js"
import { approvalsOf } from "./approvals.js"
import { ProtectedWatch } from "./protected-watch.js"
import { moveAside, quarantineWords } from "./quarantine.js"

let base: string
let root: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-watch-")))
  root = join(base, "root")
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const put = (name: string, text = "x") => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

describe("the watch over protected names", () => {
  const limits = { maxMs: 10_000, maxEntries: 100_000 }
  const held = new Set<string>()
  const watchOver = (index: WorkspaceIndex) =>
    new ProtectedWatch({
      committed: [],
      indexes: [index],
      gitDirs: [],
      quarantine: join(base, "quarantine"),
      placeholders: () => held,
      assertInPlace: () => undefined,
    })
  const begin = (watch: ProtectedWatch, approved: readonly string[] = []) => {
    const end = watch.begin({ writable: [root], approvals: approvalsOf(approved), isHeld: () => true, links: [] })
    return async () => (await end()).quarantined.map(({ path }) => path.slice(root.length + 1))
  }

  test("a name that was moved away after the index was read counts as new when it is made again", async () => {
    put("sub/.npmrc")
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    rmSync(at("sub/.npmrc"))
    const end = begin(watchOver(index))
    put("sub/.npmrc")
    expect(await end()).toEqual(["sub/.npmrc"])
  })

  test("where not all was read before, names that are older than the command stay", async () => {
    for (let number = 0; number < 20; number++) put(`old${number}/.npmrc`)
    // File times come from a clock that ticks.
    await new Promise((done) => setTimeout(done, 100))
    const index = new WorkspaceIndex({ root })
    await index.refresh({ maxMs: 10_000, maxEntries: 5 })
    expect(index.stopped()).toBeDefined()
    const end = begin(watchOver(index))
    put("new/.npmrc")
    expect(await end()).toEqual(["new/.npmrc"])
  })

  test("an empty folder that holds a name is none that was made, and one with something in it is", async () => {
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    for (const name of ["a/.vscode", "b/.vscode"]) held.add(at(name))
    const end = begin(watchOver(index))
    mkdirSync(at("a/.vscode"), { recursive: true })
    put("b/.vscode/tasks.json")
    expect(await end()).toEqual(["b/.vscode"])
    held.clear()
  })

  test("a command that begins while another runs makes nothing known that the other one made", async () => {
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    const watch = watchOver(index)
    const first = begin(watch)
    put("sub/.npmrc")
    await index.refresh(limits)
    const second = begin(watch)
    expect(await second()).toEqual(["sub/.npmrc"])
    put("sub/.npmrc")
    expect(await first()).toEqual(["sub/.npmrc"])
  })

  test("a folder with more in it than is compared stays whole", async () => {
    mkdirSync(at("sub/.claude"), { recursive: true })
    execFileSync("bash", ["-c", "touch $(seq 12000)"], { cwd: at("sub/.claude") })
    put("sub/.npmrc", "old")
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    const watch = watchOver(index)
    const end = watch.begin({ writable: [root], approvals: approvalsOf([]), isHeld: () => false, links: [] })
    put("sub/.claude/1", "changed")
    put("sub/.npmrc", "changed")
    const { quarantined, note } = await end()
    expect(quarantined.map(({ path }) => path)).toEqual([at("sub/.npmrc")])
    expect(note).toBe(
      `Not all of the workspace was looked through for protected names: "${at("sub/.claude")}" has too much in it`,
    )
  })

  test("settings that git may have written are read again at every look, also when much was compared", async () => {
    mkdirSync(at("sub/.claude"), { recursive: true })
    execFileSync("bash", ["-c", "touch $(seq 9998)"], { cwd: at("sub/.claude") })
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    const watch = watchOver(index)
    const command = { writable: [root], approvals: approvalsOf([]), isHeld: () => false, links: [] }
    const job = watch.begin(command)
    const names = ["a/.git/config", "b/.git/config", "c/.git/config"]
    for (const name of names) put(name, "[core]\n\tbare = false\n")
    expect(await begin(watch)()).toEqual([])
    for (const name of names) put(name, "[core]\n\tfsmonitor = evil\n")
    expect((await job()).quarantined.map(({ path }) => path)).toEqual(names.map(at))
  })

  test("what one command was allowed to make is compared from then on", async () => {
    const index = new WorkspaceIndex({ root })
    await index.refresh(limits)
    const watch = watchOver(index)
    const long = begin(watch)
    const short = begin(watch, [at("sub/.npmrc")])
    put("sub/.npmrc", "allowed")
    expect(await short()).toEqual([])
    put("sub/.npmrc", "not allowed")
    expect(await long()).toEqual(["sub/.npmrc"])
  })
})

describe("moving something aside", () => {
  const place = (name = "kept") => join(base, "quarantine", name)

  test.each([[""], ["deep/"]])(
    "through a link in the place of its folder, or above %j, nothing is moved",
    async (deep) => {
      mkdirSync(join(base, "outside", deep), { recursive: true })
      const outside = join(base, `outside/${deep}.npmrc`)
      writeFileSync(outside, "as it was")
      symlinkSync(join(base, "outside"), at("sub"))
      const path = at(`sub/${deep}.npmrc`)
      expect(await moveAside({ shown: path, path }, place())).toEqual({ path })
      expect(readFileSync(outside, "utf8")).toBe("as it was")
    },
  )

  test("a name that is taken, or longer than names can be, gets another one", async () => {
    put(".npmrc", "one")
    mkdirSync(dirname(place()))
    writeFileSync(place(), "taken")
    const { movedTo } = await moveAside({ shown: "", path: at(".npmrc") }, place())
    expect([readFileSync(movedTo!, "utf8"), readFileSync(place(), "utf8")]).toEqual(["one", "taken"])
    put(".env.x")
    expect((await moveAside({ shown: "", path: at(".env.x") }, place("x".repeat(300)))).movedTo).toBeDefined()
  })

  const other = "/dev/shm"
  const isOther = existsSync(other) && statSync(other).dev !== statSync(tmpdir()).dev
  if (!isOther) console.warn("not tested here: there is only one file system")

  test.runIf(isOther)("from another file system all is carried over, links as links", async () => {
    const folder = mkdtempSync(join(other, "haft-watch-"))
    try {
      put(".vscode/deep/tasks.json", "evil")
      writeFileSync(join(base, "outside"), "as it was")
      symlinkSync(join(base, "outside"), at(".vscode/link"))
      mkdirSync(join(base, "folder"))
      writeFileSync(join(base, "folder/file"), "as it was")
      symlinkSync(join(base, "folder"), at(".vscode/folder"))
      writeFileSync(Buffer.concat([Buffer.from(at(".vscode/")), Buffer.from([0xff])]), "odd")
      execFileSync("mkfifo", [at(".vscode/pipe")])
      chmodSync(at(".vscode/deep"), 0o500)
      const { movedTo } = await moveAside({ shown: "", path: at(".vscode") }, join(folder, "q/.vscode"))
      expect(movedTo).toBe(join(folder, "q/.vscode"))
      expect(existsSync(at(".vscode"))).toBe(false)
      expect(readFileSync(join(movedTo!, "deep/tasks.json"), "utf8")).toBe("evil")
      expect(readlinkSync(join(movedTo!, "link"))).toBe(join(base, "outside"))
      expect(lstatSync(join(movedTo!, "folder")).isSymbolicLink()).toBe(true)
      expect(readFileSync(Buffer.concat([Buffer.from(`${movedTo}/`), Buffer.from([0xff])]), "utf8")).toBe("odd")
      expect(existsSync(join(movedTo!, "pipe"))).toBe(false)
      expect(readFileSync(join(base, "folder/file"), "utf8")).toBe("as it was")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test("what became of them is told in few words, and first what somebody has to remove", () => {
    const moved = Array.from({ length: 8 }, (_, number) => ({ path: `/w/${number}`, movedTo: `/q/r/${number}` }))
    const words = quarantineWords([...moved, { path: "/w/n", stays: "left there" }, { path: "/w/x" }])
    expect(words).toHaveLength(8)
    expect(words[0]).toBe('"/w/x" was created under a protected name and could not be moved away: remove it')
    expect(words.slice(-3)).toEqual([
      '4 more were moved to "/q/r"',
      "1 more were created under protected names and are still there",
      "A person is asked about such a file when a call names it",
    ])
    expect(quarantineWords([])).toEqual([])
  })
})
