import { mkdirSync, readdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { TerminalRun } from "../../test/terminal-run.js"
import { type RunOptions, type Workbench, workbench } from "../../test/workbench.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
  bench.write("a.txt", "one\n")
})
afterEach(() => bench.remove())

async function sessionOf(words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { stdout } = await bench.run([...words, "--json"], options)
  return JSON.parse(stdout).metadata.session_id as string
}
const read = ["read", "a.txt"]

test("calls at one terminal are one session; without a terminal each has its own", async () => {
  const first = await sessionOf(read, { terminal: "one" })
  expect(await sessionOf(["ls"], { terminal: "one" })).toBe(first)
  expect(await sessionOf(read, { terminal: "two" })).not.toBe(first)
  expect(await sessionOf(read)).not.toBe(await sessionOf(read))
})

test("other roots, toolsets and dialects are other sessions, and so is a new one that is asked for", async () => {
  mkdirSync(join(bench.work, "sub"))
  const terminal = "one"
  const first = await sessionOf(read, { terminal })
  const others = [
    await sessionOf(["ls", "--root", "sub"], { terminal }),
    await sessionOf(["ls", "--toolset", "code"], { terminal }),
    await sessionOf([...read, "--new-session"], { terminal }),
  ]
  expect(new Set([first, ...others]).size).toBe(4)
  // The new one is that of the terminal from now on.
  expect(await sessionOf(read, { terminal })).toBe(others[2])
})

test("a session that is in use, was removed or was not used for a day is not taken", async () => {
  const terminal = "one"
  const first = await sessionOf(read, { terminal })
  const sleeping = bench.run(["bash", "sleep 2", "--json"], { terminal })
  await new Promise((resolve) => setTimeout(resolve, 800))
  const meanwhile = await sessionOf(read, { terminal })
  expect(meanwhile).not.toBe(first)
  expect(JSON.parse((await sleeping).stdout).metadata.session_id).toBe(first)
  expect(await sessionOf(read, { terminal })).toBe(first)
  await bench.run(["session", "remove", first])
  const anew = await sessionOf(read, { terminal })
  expect(anew).not.toBe(first)
  const [file] = readdirSync(join(bench.home, "terminals"))
  const yesterday = Date.now() / 1000 - 25 * 3600
  utimesSync(join(bench.home, "terminals", file!), yesterday, yesterday)
  expect(await sessionOf(read, { terminal })).not.toBe(anew)
})

test("the terminal of a real process is told apart from the next one of the same command", async () => {
  const haft = join(import.meta.dirname, "../../bin/haft.cjs")
  const line = `node ${haft} read a.txt --json | sed 's/.*session_id":"//;s/".*/ end/'`
  const ids: string[][] = []
  for (const _ of [1, 2]) {
    const run = new TerminalRun(["bash", "-c", `${line}; ${line}`], { cwd: bench.work, env: bench.env })
    await run.code()
    ids.push([...run.shown.matchAll(/(ses_\w+) end/g)].map(([, id]) => id!))
  }
  expect(ids.map((each) => [each.length, new Set(each).size])).toEqual([
    [2, 1],
    [2, 1],
  ])
  expect(ids[0]![0]).not.toBe(ids[1]![0])
})

test("`last` is the newest session of this folder, and the list shows this folder first", async () => {
  const here = await sessionOf(read)
  const elsewhere = join(bench.work, "elsewhere")
  mkdirSync(elsewhere)
  const other = await sessionOf(["ls"], { cwd: elsewhere })
  expect(JSON.parse((await bench.run(["session", "show", "last", "--json"])).stdout).session.id).toBe(here)
  const list = JSON.parse((await bench.run(["session", "list", "--json"])).stdout) as { id: string }[]
  expect(list.map(({ id }) => id)).toEqual([here, other])
  expect(await sessionOf([...read, "--session", "last"])).toBe(here)
})
