import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { cgroupParent, ownGroupPrefix, sweepGroups } from "./cgroup.js"
import { runInSession } from "./testing/run-in-session.js"
import { createTestSession, processesWith, type TestSession } from "./testing/test-session.js"

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "haft-groups-"))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

test("groups of the dead are removed, those in use and of others are not", () => {
  const names = ["haft-999999999-1-abc.1", "haft-999999999-1-00000000", `${ownGroupPrefix}abc.1`, "user.slice"]
  for (const name of names) mkdirSync(join(parent, name))
  mkdirSync(join(parent, "haft-999999998-1-abc.1/in-use"), { recursive: true })
  // The number lives, and names another process by now.
  mkdirSync(join(parent, `haft-${process.pid}-1-abc.1`))
  sweepGroups(parent)
  expect(readdirSync(parent).sort()).toEqual([`${ownGroupPrefix}abc.1`, "haft-999999998-1-abc.1", "user.slice"].sort())
})

const above = cgroupParent()
if (above === undefined) console.warn("not tested here: no control groups that this user may add to")

test.skipIf(above === undefined)(
  "what a Haft left that was killed with its watcher is removed at the next start",
  async () => {
    const runner = fileURLToPath(new URL("../../../../../scripts/run-ts.mjs", import.meta.url))
    const program = fileURLToPath(new URL("./testing/run-and-wait.ts", import.meta.url))
    const tag = `36.${process.pid}`
    const run = (line: string) =>
      spawn(process.execPath, [runner, program, "plain", line], { stdio: ["ignore", "pipe", "inherit"] })
    const groups = (pid: number) => readdirSync(above!).filter((name) => name.startsWith(`haft-${pid}-`))
    const first = run(`sleep ${tag}`)
    await once(first.stdout, "data")
    while (groups(first.pid!).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    // All at once, as when a container ends; the watcher first, so that it sees nothing.
    const children = spawnSync("ps", ["-o", "pid=", "--ppid", String(first.pid)], { encoding: "utf8" }).stdout
    for (const pid of children.split("\n").filter(Boolean).map(Number)) process.kill(pid, "SIGKILL")
    first.kill("SIGKILL")
    await once(first, "exit")
    for (const pid of processesWith(tag)) process.kill(pid, "SIGKILL")
    while (processesWith(tag).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(groups(first.pid!)).not.toEqual([])
    const second = run("true")
    await once(second.stdout, "data")
    expect(groups(first.pid!)).toEqual([])
    second.kill("SIGKILL")
  },
)

const hasGroups = cgroupParent() !== undefined
if (!hasGroups) console.warn("not tested here: this user may make no control groups")

let session: TestSession
beforeEach(() => {
  session = createTestSession()
})
afterEach(() => session.remove())

test.skipIf(!hasGroups)("what a command started at once, without its tag and its session, ends with it", async () => {
  const tag = `33.${process.pid}`
  // It ends when its child is in the group, or after ten seconds.
  const command = `env -i setsid sleep ${tag} >/dev/null 2>&1 &
for round in $(seq 200); do grep -q haft- /proc/$!/cgroup && break; sleep 0.05; done; echo done`
  const end = await runInSession(session, command)
  expect(end).toMatchObject({ stdout: { text: "done\n" }, teardown: { ended: 1, survivors: [] } })
  expect(processesWith(`sleep\0${tag}`)).toEqual([])
})
