import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { undoEffects } from "../files/index.js"
import { createTestSession, type TestSession } from "../process/testing/test-session.js"
import { createObserver, type Observer } from "./create-observer.js"

let session: TestSession
let observer: Observer
beforeEach(() => {
  session = createTestSession()
  const { root, historyFolder, sessionFolder } = session
  observer = createObserver({ roots: [root], directory: root, historyFolder, sessionFolder })
})
afterEach(async () => {
  await observer.close()
  session.remove()
})

const at = (path: string) => join(session.root, path)
const put = (path: string, content: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}
const undo = () => undoEffects(session.effects, { historyFolder: session.historyFolder, roots: [session.root] })
const count = 400
const tree = () =>
  execFileSync("bash", ["-c", "ls -lR --time-style=+; cat */* 2>&1"], { cwd: session.root, encoding: "utf8" })

async function change(): Promise<void> {
  for (let n = 0; n < count; n++) put(`old/file${n}`, `content ${n}`)
  for (let n = 0; n < count; n++) put(`moved/file${n}`, `moving ${n}`)
  for (let n = 0; n < count; n++) put(`changed/file${n}`, `changing ${n}`)
  symlinkSync("old", at("link"))
}

/** Undoes in a process of its own, which is killed when something that the command made is gone. */
async function undoHalf(): Promise<void> {
  const repository = join(import.meta.dirname, "../../../..")
  const effects = join(session.sessionFolder, "effects.json")
  writeFileSync(effects, JSON.stringify(session.effects))
  const script = join(repository, "packages/host/test/child/undo-effects.ts")
  const runner = join(repository, "scripts/run-ts.mjs")
  const child = spawn(process.execPath, [runner, script, session.root, session.historyFolder, effects], {
    stdio: "inherit",
  })
  while (child.exitCode === null && readdirSync(at("new")).length > count / 2) await delay(1)
  child.kill("SIGKILL")
  await once(child, "exit")
}

test("an undo that was killed half-way is ended by the next one", async () => {
  await change()
  const before = tree()
  const observation = await observer.begin(session.call())
  const command = `rm -r old link; mv moved new; sed -i s/changing/changed/ changed/*`
  execFileSync("bash", ["-c", command], { cwd: session.root })
  await observation.end()
  await undoHalf()
  expect(existsSync(at("new"))).toBe(true)
  expect(tree()).not.toBe(before)
  await undo()
  expect(tree()).toBe(before)
  expect(readdirSync(session.historyFolder).filter((name) => name.startsWith("undoing"))).toEqual([])
}, 120_000)

test("what a person changed after an undo was killed is not lost", async () => {
  await change()
  const observation = await observer.begin(session.call())
  execFileSync("bash", ["-c", "rm -r old link; mv moved new"], { cwd: session.root })
  await observation.end()
  await undoHalf()
  const back = readdirSync(at("moved"))[0]!
  put(`moved/${back}`, "by a person")
  await expect(undo()).rejects.toMatchObject({ code: "conflict" })
  expect(readFileSync(at(`moved/${back}`), "utf8")).toBe("by a person")
}, 120_000)
