import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { programForNobody } from "../../test/as-nobody.js"
import { createObservedGround, type ObservedGround } from "./testing/observed-ground.js"

let ground: ObservedGround
beforeEach(() => {
  ground = createObservedGround()
})
afterEach(() => ground.close())

const at = (path: string) => ground.at(path)
const put = (path: string, content: string) => ground.put(path, content)
const content = (path: string) => readFileSync(at(path), "utf8")
const shell = (command: string) => ground.shell(command)
const undo = () => ground.undo()
const during = (work: () => void) => ground.during(work)

describe("undo of what is no file", () => {
  const linkOf = (path: string) => readlinkSync(at(path))

  test("brings back links and empty folders that a command removed, together with the files beside them", async () => {
    put("src/a", "a")
    symlinkSync("a", at("src/link"))
    symlinkSync("/nowhere/at all", at("src/dangling"))
    mkdirSync(at("src/empty/deep"), { recursive: true, mode: 0o700 })
    const changes = await during(() => shell("rm -rf src"))
    expect(changes.complete).toBe(true)
    const report = await undo()
    expect([...report.restored].sort()).toEqual(
      ["a", "dangling", "empty", "empty/deep", "link"].map((name) => at(`src/${name}`)),
    )
    expect([content("src/a"), linkOf("src/link"), linkOf("src/dangling")]).toEqual(["a", "a", "/nowhere/at all"])
    expect(statSync(at("src/empty/deep")).mode & 0o777).toBe(0o700)
  })

  test("takes away links and folders that a command made, with the folders made for them", async () => {
    put("a", "a")
    await during(() => shell("mkdir -p new/empty other; ln -s ../a other/link; ln -s a link"))
    const { removed, removedDirectories } = await undo()
    expect([...removed].sort()).toEqual([at("link"), at("new/empty"), at("other/link")])
    expect([...removedDirectories].sort()).toEqual([at("new"), at("other")])
    expect(readdirSync(ground.root)).toEqual(["a"])
  })

  test.each([
    ["a file that became a link", "rm file; ln -s link file"],
    ["a link that became a file", "rm link; echo file > link"],
    ["a link that leads elsewhere", "ln -sf elsewhere link"],
    ["a link that was moved", "mkdir d; mv link d/"],
    ["a file that became a folder with something in it", "rm file; mkdir file; echo new > file/new"],
    ["a link that became a folder with something in it", "rm link; mkdir -p link/deep; echo new > link/deep/new"],
  ])("brings back %s", async (_what, command) => {
    put("file", "file")
    symlinkSync("file", at("link"))
    await during(() => shell(command))
    await undo()
    expect([content("file"), linkOf("link"), readdirSync(ground.root)]).toEqual(["file", "file", ["file", "link"]])
  })

  test.each([
    ["a file", "rm -r folder; echo file > folder"],
    ["a link", "rm -r folder; ln -s file folder"],
  ])("brings back a folder that became %s, with what was in it", async (_what, command) => {
    put("file", "file")
    put("folder/deep/inner", "inner")
    await during(() => shell(command))
    await undo()
    expect(content("folder/deep/inner")).toBe("inner")
    expect(readdirSync(ground.root)).toEqual(["file", "folder"])
  })

  test("an empty folder comes back with the mode it had, whatever new folders get", async () => {
    mkdirSync(at("shared"))
    chmodSync(at("shared"), 0o2777)
    await during(() => shell("rmdir shared"))
    await undo()
    expect(statSync(at("shared")).mode & 0o7777).toBe(0o2777)
  })

  test("a folder comes back with the mode it had, also when something was in it", async () => {
    put("private/inner/file", "file")
    chmodSync(at("private"), 0o700)
    chmodSync(at("private/inner"), 0o500)
    await during(() => shell("chmod -R u+w private; rm -rf private"))
    await undo()
    expect(content("private/inner/file")).toBe("file")
    const modes = ["private", "private/inner"].map((path) => statSync(at(path)).mode & 0o7777)
    expect(modes).toEqual([0o700, 0o500])
  })

  test("a folder of a mode of its own comes back into one that a file took the place of", async () => {
    put("folder/private/file", "inner")
    chmodSync(at("folder/private"), 0o700)
    put("file", "file")
    await during(() => shell("mv folder away; mv file folder; mv away file"))
    await undo()
    expect([content("file"), content("folder/private/file")]).toEqual(["file", "inner"])
    expect(statSync(at("folder/private")).mode & 0o777).toBe(0o700)
  })

  test("a folder that a person made again meanwhile keeps the mode that they chose", async () => {
    put("private/file", "file")
    chmodSync(at("private"), 0o700)
    await during(() => shell("rm -rf private"))
    mkdirSync(at("private"))
    chmodSync(at("private"), 0o750)
    await undo()
    expect(content("private/file")).toBe("file")
    expect(statSync(at("private")).mode & 0o777).toBe(0o750)
  })

  test("gives a file whose mode alone was changed its mode again, and leaves its content alone", async () => {
    put("script", "echo")
    chmodSync(at("script"), 0o755)
    const { ino } = statSync(at("script"))
    await during(() => shell("chmod 400 script"))
    expect((await undo()).restored).toEqual([at("script")])
    expect(statSync(at("script"))).toMatchObject({ ino, mode: 0o100755 })
  })

  test.each([
    ["made stricter", "chmod 500 folder", 0o755],
    ["opened to everybody", "chmod 777 folder", 0o750],
    ["closed, with all that is in it", "chmod -R go-rwx folder", 0o755],
    ["made stricter after something in it was removed", "rm folder/a folder/deep/inner; chmod 500 folder", 0o755],
    ["opened, and something was put into it", "chmod 755 folder; echo new > folder/new", 0o555],
  ])("tells of a folder that was %s, and gives it its mode again", async (_what, command, mode) => {
    put("folder/a", "a")
    put("folder/deep/inner", "inner")
    chmodSync(at("folder"), mode)
    const changes = await during(() => shell(command))
    expect(changes.written).toContain("folder")
    expect(changes.complete).toBe(true)
    expect((await undo()).restored).toContain(at("folder"))
    expect(statSync(at("folder")).mode & 0o777).toBe(mode)
    expect([content("folder/a"), content("folder/deep/inner"), readdirSync(at("folder"))]).toEqual([
      "a",
      "inner",
      ["a", "deep"],
    ])
  })

  test("the mode of a folder that a later call removed with all that is in it comes back too", async () => {
    put("folder/a", "a")
    chmodSync(at("folder"), 0o750)
    await during(() => shell("chmod 777 folder"))
    await during(() => shell("rm -r folder"))
    await undo()
    expect([content("folder/a"), statSync(at("folder")).mode & 0o777]).toEqual(["a", 0o750])
  })

  test("a folder whose mode is the same is not told of, whatever happens in it", async () => {
    put("folder/a", "a")
    expect((await during(() => shell("echo b > folder/b; chmod 755 folder"))).written).toEqual(["folder/b"])
  })

  test("refuses as a whole when a link leads elsewhere by now, or a folder holds something", async () => {
    put("file", "file")
    await during(() => shell("rm file; ln -s a link; mkdir folder"))
    put("folder/foreign", "foreign")
    await expect(undo()).rejects.toMatchObject({ code: "conflict" })
    rmSync(at("folder/foreign"))
    shell("ln -sf b link")
    await expect(undo()).rejects.toMatchObject({ code: "conflict" })
    expect(readdirSync(ground.root)).toEqual(["folder", "link"])
  })

  test("a folder that took the place of a file stays, with all the rest, when somebody else put something into it", async () => {
    put("file", "file")
    put("other", "other")
    await during(() => shell("rm file other; mkdir -p file/deep; echo new > file/deep/new"))
    put("file/deep/foreign", "foreign")
    await expect(undo()).rejects.toMatchObject({ code: "conflict" })
    expect(readdirSync(at("file/deep"))).toEqual(["foreign", "new"])
    expect(readdirSync(ground.root)).toEqual(["file"])
  })

  test("what is in a folder that became a link is not looked for where the link leads", async () => {
    put("folder/inner", "inner")
    put("elsewhere/inner", "foreign")
    await during(() => shell("rm -r folder; ln -s elsewhere folder"))
    await undo()
    expect([content("folder/inner"), content("elsewhere/inner")]).toEqual(["inner", "foreign"])
  })

  test("goes on past what is never kept, and says so", async () => {
    put("file", "file")
    put(".git/refs/heads/topic", "0123")
    mkdirSync(at("node_modules/thing"), { recursive: true })
    shell("mkfifo pipe")
    await during(() => shell("rm -r file .git/refs/heads/topic node_modules/thing pipe"))
    const { restored, left } = await undo()
    expect(restored).toEqual([at("file")])
    expect(left).toEqual([
      { path: at(".git/refs/heads/topic"), reason: expect.stringContaining("use git to go back") },
      { path: at("node_modules/thing"), reason: expect.stringContaining("install them again") },
      { path: at("pipe"), reason: "only files, links and folders are kept" },
    ])
  })
})

test("an ordinary user undoes a command that marked its files read-only", async ({ skip, onTestFinished }) => {
  if (process.getuid?.() !== 0) return skip("becoming another user needs user 0")
  const program = await programForNobody(new URL("../../test/child/undo-read-only.ts", import.meta.url))
  onTestFinished(() => program.remove())
  expect(await program.run()).toEqual({ names: ["kept"], kept: "before", mode: "644" })
})
