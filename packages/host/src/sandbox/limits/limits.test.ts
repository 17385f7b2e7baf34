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
    const child = spawn("sh", ["-c", "sleep 60 & sleep 60 & wait"], { stdio: "ignore", detached: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await limiter.admission.admit(child.pid!)).toBe(true)
    const members = readFileSync(limiter.joins[0]!, "utf8").trim().split("\n")
    expect(members).toHaveLength(3)
    process.kill(-child.pid!, "SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
  })

  test("a process that has ended is no failure", async () => {
    const child = spawn("true")
    await new Promise((resolve) => child.once("exit", resolve))
    expect(await limiter.admission.admit(child.pid!)).toBe(true)
  })
})

test("without a group to add to, limits of the process itself hold", () => {
  const limiter = createLimiter(withDefaults(), undefined)
  // The default is looked up again where nothing is given; either way the answer is honest.
  expect(limiter.enforcedBy).toBe(limiter.joins.length > 0 ? place?.kind : "rlimit")
  return limiter.close()
})

test.skipIf(!place || backendsHere.length === 0)(
  "more processes than the limit are refused, and what is there goes on",
  async () => {
    const ground = await makeGround({ limits: { processes: 12 } })
    const { stdout, stderr } = await ground.run(
      "sleep 0.3; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do sleep 2 & done; echo still here; kill %1",
    )
    expect(stderr).toContain("Resource temporarily unavailable")
    expect(stdout === "" || stdout === "still here\n").toBe(true)
    await ground.close()
  },
)
