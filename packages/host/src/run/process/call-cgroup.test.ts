import { afterEach, beforeEach, expect, test } from "vitest"
import { cgroupParent } from "./call-cgroup.js"
import { runInSession } from "./testing/run-in-session.js"
import { createTestSession, processesWith, type TestSession } from "./testing/test-session.js"

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
