import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, describe, expect, test } from "vitest"
import { makeGround } from "../testing/sandbox-ground.js"
import { backendsHere } from "../testing/installed.js"
import { findCgroup } from "./find-cgroup.js"
import { createLimiter } from "./limiter.js"
import { withDefaults } from "./limits.js"

const place = findCgroup()
if (!place) console.warn("not tested here: no control group that this user may add to")

describe.skipIf(!place)("control groups", () => {
  const limiter = createLimiter(withDefaults({ processes: 50 }))
  afterAll(() => limiter.close())

  test("take in a process with everything that it started before", async () => {
    const child = spawn("sh", ["-c", "sleep 60 & (sleep 60 & sleep 60) & wait"], { stdio: "ignore", detached: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await limiter.admit(child.pid!)).toBe(true)
    const members = readFileSync(limiter.joins[0]!, "utf8").trim().split("\n")
    expect(members).toHaveLength(5)
    process.kill(-child.pid!, "SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
  })

  test("a process that has ended is no failure", async () => {
    const child = spawn("true")
    await new Promise((resolve) => child.once("exit", resolve))
    expect(await limiter.admit(child.pid!)).toBe(true)
  })
})

test("without a group to add to, limits of the process itself hold", () => {
  const limiter = createLimiter(withDefaults(), undefined)
  // The default is looked up again where nothing is given; either way the answer is honest.
  expect(limiter.enforcedBy).toBe(limiter.joins.length > 0 ? place?.kind : "rlimit")
  return limiter.close()
})

test.skipIf(!place || backendsHere.length === 0)("a fork bomb is held and ends with its wall", async () => {
  const ground = await makeGround({ limits: { processes: 40 } })
  const { stdout } = await ground.run(
    "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 0.5; echo still here; kill -9 -1",
  )
  expect(stdout === "" || stdout === "still here\n").toBe(true)
  await ground.close()
})
