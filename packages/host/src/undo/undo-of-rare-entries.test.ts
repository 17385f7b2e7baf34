import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createObservedGround, type ObservedGround } from "./testing/observed-ground.js"

let ground: ObservedGround
beforeEach(() => {
  ground = createObservedGround()
})
afterEach(() => ground.close())

const content = (path: string) => readFileSync(ground.at(path), "utf8")
const linkOf = (path: string) => readlinkSync(ground.at(path))

describe("undo of what is rare", () => {
  test.each([
    ["a file that became a pipe", "rm file; mkfifo file"],
    ["a link that became a pipe", "rm link; mkfifo link"],
    ["a folder that became a pipe", "rm -r folder; mkfifo folder"],
    ["what was there before a pipe was made", "mkfifo pipe folder/pipe"],
  ])("brings back %s", async (_what, command) => {
    ground.put("file", "file")
    ground.put("folder/inner", "inner")
    symlinkSync("file", ground.at("link"))
    expect((await ground.during(() => ground.shell(command))).complete).toBe(true)
    await ground.undo()
    expect([content("file"), linkOf("link"), content("folder/inner")]).toEqual(["file", "file", "inner"])
    expect([readdirSync(ground.root), readdirSync(ground.at("folder"))]).toEqual([
      ["file", "folder", "link"],
      ["inner"],
    ])
  })

  test("says that a pipe which was removed cannot come back", async () => {
    ground.shell("mkfifo pipe")
    const changes = await ground.during(() => ground.shell("rm pipe"))
    expect(changes).toMatchObject({ deleted: ["pipe"], complete: false, note: expect.stringContaining('"pipe"') })
    expect((await ground.undo()).left?.map(({ path }) => path)).toEqual([ground.at("pipe")])
  })

  test("tells of names that are no text, at any depth, and that they are not undone", async () => {
    ground.shell(
      "mkdir $'d\\xff'; echo 1 > $'d\\xff/deep'; echo 1 > $'caf\\xe9'; echo 1 > $'same\\xfe'; echo 1 > plain",
    )
    const changes = await ground.during(() =>
      ground.shell("rm $'caf\\xe9'; echo two > $'d\\xff/deep'; echo > $'new\\xff'; echo 2 > plain"),
    )
    expect(changes).toMatchObject({
      written: ["d\\xff/deep", "new\\xff", "plain"],
      deleted: ["caf\\xe9"],
      complete: false,
      note: expect.stringContaining("its name is not UTF-8"),
    })
    const { restored, left } = await ground.undo()
    expect([restored, left?.length]).toEqual([[ground.at("plain")], 3])
  })

  // Nothing is closed to user 0.
  test.skipIf(process.getuid?.() === 0)(
    "tells of a file that was changed and closed, and that it cannot be undone",
    async () => {
      ground.put("file", "one")
      const changes = await ground.during(() => ground.shell("echo two > file; chmod 000 file"))
      expect(changes).toMatchObject({
        written: ["file"],
        complete: false,
        note: expect.stringContaining("could not be read"),
      })
    },
  )

  test.skipIf(process.getuid?.() === 0)(
    "tells of a folder that can only be listed, and not that all in it is gone",
    async () => {
      ground.put("folder/file", "file")
      const changes = await ground.during(() => ground.shell("chmod 600 folder"))
      expect(changes).toMatchObject({ written: ["folder"], deleted: [] })
      await ground.undo()
      expect(content("folder/file")).toBe("file")
    },
  )

  test("gives the workspace itself its mode again", async () => {
    chmodSync(ground.root, 0o750)
    expect((await ground.during(() => ground.shell("chmod 777 ."))).written).toEqual(["."])
    expect((await ground.undo()).restored).toEqual([ground.root])
    expect(statSync(ground.root).mode & 0o7777).toBe(0o750)
  })
})
