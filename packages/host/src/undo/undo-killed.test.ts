import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createObservedGround, type ObservedGround } from "./testing/observed-ground.js"

const count = 60

let ground: ObservedGround
beforeEach(() => {
  ground = createObservedGround()
  for (let n = 0; n < count; n++) {
    for (const folder of ["old", "moved", "changed"]) ground.put(`${folder}/file${n}`, `${folder} ${n}`)
  }
  symlinkSync("old", ground.at("link"))
})
afterEach(() => ground.close())

const tree = () =>
  execFileSync("bash", ["-c", "ls -lR --time-style=+; cat */*"], { cwd: ground.root, encoding: "utf8" })

/** Undoes in a process of its own, which is killed at the moment when half of what the command made is gone. */
async function undoHalf(): Promise<void> {
  const repository = join(import.meta.dirname, "../../../..")
  const effects = join(ground.aside, "effects.json")
  writeFileSync(effects, JSON.stringify(ground.effects))
  const script = join(repository, "packages/host/test/child/undo-effects.ts")
  const runner = join(repository, "scripts/run-ts.mjs")
  const half = [ground.at("new"), String(count / 2)]
  const child = spawn(process.execPath, [runner, script, ground.root, ground.historyFolder, effects, ...half], {
    stdio: "inherit",
  })
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"])
  expect(readdirSync(ground.at("new"))).toHaveLength(count / 2)
}

test("an undo that was killed half-way is ended by the next one", async () => {
  const before = tree()
  await ground.during(() => ground.shell("rm -r old link; mv moved new; sed -i s/changed/different/ changed/*"))
  await undoHalf()
  expect(existsSync(ground.at("new"))).toBe(true)
  expect(tree()).not.toBe(before)
  await ground.undo()
  expect(tree()).toBe(before)
  expect(readdirSync(ground.historyFolder).filter((name) => name.startsWith("undoing"))).toEqual([])
}, 120_000)

test("what a person changed after an undo was killed is not lost", async () => {
  await ground.during(() => ground.shell("rm -r old link; mv moved new"))
  await undoHalf()
  const back = `moved/${readdirSync(ground.at("moved"))[0]!}`
  ground.put(back, "by a person")
  await expect(ground.undo()).rejects.toMatchObject({ code: "conflict" })
  expect(readFileSync(ground.at(back), "utf8")).toBe("by a person")
}, 120_000)
