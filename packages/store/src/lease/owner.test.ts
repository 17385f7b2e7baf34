import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { isLiving, thisOwner } from "./owner.js"

const now = 1_800_000_000_000
const owner = thisOwner(now)

test("this process lives; one that ended does not", () => {
  expect(isLiving(owner, now)).toBe(true)
  const { pid } = spawnSync("true")
  expect(isLiving({ ...owner, pid }, now)).toBe(false)
})

test("another process that got the pid of a dead owner is not the owner", () => {
  expect(isLiving({ ...owner, started: "1" }, now)).toBe(false)
})

test("an owner on another machine lives for a minute after its last heartbeat", () => {
  const elsewhere = { ...owner, machine: "elsewhere", started: "1" }
  expect(isLiving({ ...elsewhere, heartbeat: now - 59_999 }, now)).toBe(true)
  expect(isLiving({ ...elsewhere, heartbeat: now - 60_000 }, now)).toBe(false)
})
