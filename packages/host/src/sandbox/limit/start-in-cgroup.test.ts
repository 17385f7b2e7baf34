import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findBirthplace } from "./cgroup-placement.js"
import { findCgroup } from "./limiter.js"

const place = findCgroup()
if (place?.kind !== "cgroup1") console.warn("not tested here: no separate control groups that this user may add to")

test.skipIf(place?.kind !== "cgroup1")("what is started in a group is there from its beginning, and we are not", () => {
  const own = (place as { readonly processes: string }).processes
  const group = join(own, `birthplace-${process.pid}`)
  const before = readFileSync("/proc/thread-self/cgroup", "utf8")
  mkdirSync(group)
  const birthplace = findBirthplace({ group, own })!
  const { stdout } = birthplace.start(() => spawnSync("cat", ["/proc/self/cgroup"], { encoding: "utf8" }))
  expect(stdout).toMatch(new RegExp(`:pids:.*/birthplace-${process.pid}$`, "m"))
  const failing = () => {
    throw new Error("not started")
  }
  expect(() => birthplace.start(failing)).toThrow("not started")
  expect(readFileSync("/proc/thread-self/cgroup", "utf8")).toBe(before)
  birthplace.close()
  // The numbers may stand for other files by now.
  expect(() => birthplace.start(() => undefined)).toThrow("its session has ended")
  rmdirSync(group)
})

test("a place that is none is not taken", () => {
  expect(findBirthplace({ group: "/nonexistent", own: "/nonexistent" })).toBeUndefined()
})
