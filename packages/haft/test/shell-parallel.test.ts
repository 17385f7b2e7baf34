import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { areHere, sandboxIsHere, shellWorld } from "./shell-world.js"

describe.skipIf(!sandboxIsHere || !areHere("git"))("commands side by side", () => {
  test("are not charged with the names that the others' sandboxes hold, and undo leaves everything else alone", async () => {
    await using world = await shellWorld({ "a.txt": "one" })
    execFileSync("git", ["init", "-q", world.root])
    const run = (name: string, seconds: number) => world.run(`sleep ${seconds}; echo x > ${name}`)
    const ended = await Promise.all([run("first", 0.2), run("second", 0.6), run("third", 1)])
    expect(ended.map(({ changes }) => changes)).toEqual([
      expect.objectContaining({ written: ["first"], deleted: [], unexpected: [], protected_created: [] }),
      expect.objectContaining({ written: ["second"], deleted: [], unexpected: [], protected_created: [] }),
      expect.objectContaining({ written: ["third"], deleted: [], unexpected: [], protected_created: [] }),
    ])
    await world.undo()
    expect(readdirSync(world.root).sort()).toEqual([".git", "a.txt", "first", "second"])
  })
})
