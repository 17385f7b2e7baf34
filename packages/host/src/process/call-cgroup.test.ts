import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { cgroupParent } from "./call-cgroup.js"
import { nextMark } from "./call-mark.js"
import { runProcess } from "./run-process.js"
import { createTestSession, processesWith, type TestSession } from "./testing/test-session.js"
import { plainWall } from "./testing/test-walls.js"

const hasGroups = cgroupParent() !== undefined
if (!hasGroups) console.warn("not tested here: this user may make no control groups")

let session: TestSession
beforeEach(() => {
  session = createTestSession()
})
afterEach(() => session.remove())

test.skipIf(!hasGroups)("what a command started at once, without its mark and its session, ends with it", async () => {
  const tag = `33.${process.pid}`
  // It ends when its child is in the group, or after ten seconds.
  const command = `env -i setsid sleep ${tag} >/dev/null 2>&1 &
for round in $(seq 200); do grep -q haft- /proc/$!/cgroup && break; sleep 0.05; done; echo done`
  const end = await runProcess({
    wall: plainWall({ directory: session.root, environment: {} }),
    mark: nextMark(),
    argv: ["bash", "-c", command],
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    keepBytes: 10_000,
    sidecar: { folder: join(session.sessionFolder, "out"), name: "call" },
  })
  expect(end).toMatchObject({ stdout: { text: "done\n" }, teardown: { ended: 1, survivors: [] } })
  expect(processesWith(`sleep\0${tag}`)).toEqual([])
})
