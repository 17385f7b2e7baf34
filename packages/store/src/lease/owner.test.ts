import { spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, test, vi } from "vitest"
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

test("an owner that was killed and that its parent has not asked after is dead", async () => {
  // The shell never waits for its child, which stays a zombie once it was killed.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] })
  try {
    const pid = Number(await new Promise<string>((done) => parent.stdout.once("data", (piece) => done(String(piece)))))
    const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    const owner = { ...thisOwner(0), pid, started: stat()[19]! }
    expect(isLiving(owner, 0)).toBe(true)
    process.kill(pid, "SIGKILL")
    await vi.waitFor(() => expect(stat()[0]).toBe("Z"))
    expect(isLiving(owner, 0)).toBe(false)
  } finally {
    parent.kill("SIGKILL")
  }
})
