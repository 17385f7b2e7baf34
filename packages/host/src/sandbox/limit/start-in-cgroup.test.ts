import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findDirectPlacement } from "./cgroup-placement.js"
import { findCgroup } from "./limiter.js"

const place = findCgroup()
if (place?.kind !== "cgroup1") console.warn("not tested here: no separate control groups that this user may add to")

test.skipIf(place?.kind !== "cgroup1")("what is started in a group is there from its beginning, and we are not", () => {
  const own = (place as { readonly processes: string }).processes
  const group = join(own, `direct-${process.pid}`)
  const before = readFileSync("/proc/thread-self/cgroup", "utf8")
  mkdirSync(group)
  const direct = findDirectPlacement({ group, own })!
  const { stdout } = direct.start(() => spawnSync("cat", ["/proc/self/cgroup"], { encoding: "utf8" }))
  expect(stdout).toMatch(new RegExp(`:pids:.*/direct-${process.pid}$`, "m"))
  const failing = () => {
    throw new Error("not started")
  }
  expect(() => direct.start(failing)).toThrow("not started")
  expect(readFileSync("/proc/thread-self/cgroup", "utf8")).toBe(before)
  direct.close()
  // The numbers may mean other files by now.
  expect(() => direct.start(() => undefined)).toThrow("its session has ended")
  rmdirSync(group)
})

test("a place that is none is not taken", () => {
  expect(findDirectPlacement({ group: "/nonexistent", own: "/nonexistent" })).toBeUndefined()
})
