import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import type { Isolation } from "@haft/contract"
import { afterAll, describe, expect, test } from "vitest"
import { programForNobody } from "../../../test/as-nobody.js"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench } from "../testing/sandbox-bench.js"
import { createLimiter, findCgroup, withDefaults } from "./limiter.js"

const place = findCgroup()
if (!place) console.warn("not tested here: no control group that this user may add to")

describe.skipIf(!place)("control groups", () => {
  const limiter = createLimiter(withDefaults({ processes: 50 }))
  afterAll(() => limiter.close())

  test("take in a process with everything that it started before", async () => {
    const child = spawn("sh", ["-c", "sleep 60 & sleep 60 & wait"], { stdio: "ignore", detached: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await limiter.placement.place(child.pid!)).toBe(true)
    const members = readFileSync(limiter.joins[0]!, "utf8").trim().split("\n")
    expect(members).toHaveLength(3)
    process.kill(-child.pid!, "SIGKILL")
    await new Promise((resolve) => child.once("exit", resolve))
  })

  test("a process that has ended is no failure", async () => {
    const child = spawn("true")
    await new Promise((resolve) => child.once("exit", resolve))
    expect(await limiter.placement.place(child.pid!)).toBe(true)
  })
})

const nowhere = "/nonexistent/cgroup"

test.each([
  ["there is none", () => undefined],
  ["none can be made in it", () => ({ kind: "cgroup2", parent: nowhere }) as const],
  ["only one of two can be", () => (place?.kind === "cgroup1" ? { ...place, memory: nowhere } : undefined)],
])("without a group to add to, because %s, limits of the process itself hold", async (_, find) => {
  const groups = () => (place?.kind === "cgroup1" ? readdirSync(place.processes) : [])
  const before = groups()
  const limiter = createLimiter(withDefaults(), find)
  expect(limiter).toMatchObject({ enforcedBy: "rlimit", joins: [] })
  expect(limiter.direct).toBeUndefined()
  expect(await limiter.placement.place(process.pid)).toBe(true)
  expect(groups()).toEqual(before)
  await limiter.close()
})

const isRoot = process.getuid?.() === 0

// User 0 is held to no number of processes; an ordinary one has no groups here.
test.skipIf(!isRoot).each(backendsHere)("they do for an ordinary user behind %s", async (backend) => {
  const program = await programForNobody(new URL("../testing/run-lines.ts", import.meta.url))
  try {
    const line = "ulimit -u; ulimit -n; ulimit -c; ulimit -f"
    const { results } = (await program.run(backend, line)) as Ended
    expect(results[0]).toMatchObject({
      stdout: "512\n4096\n0\n2097152\n",
      isolation: { limits: { enforcedBy: "rlimit" } },
    })
  } finally {
    program.remove()
  }
})

interface Ended {
  readonly results: readonly { readonly stdout: string; readonly isolation: Isolation }[]
}

test.skipIf(!place || backendsHere.length === 0)(
  "more processes than the limit are refused, and what is there goes on",
  async () => {
    const bench = await makeSandboxBench({ limits: { processes: 12 } })
    const { stdout, stderr } = await bench.run(
      "sleep 0.3; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do sleep 2 & done; echo still here; kill %1",
    )
    expect(stderr).toContain("Resource temporarily unavailable")
    expect(stdout === "" || stdout === "still here\n").toBe(true)
    await bench.close()
  },
)
