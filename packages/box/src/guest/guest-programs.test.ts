import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { confineProgram, guestUser, seedBlock, seedProgram } from "./guest-programs.js"
import { systemCallProgram, systemCalls } from "./system-call-program.js"

const folder = mkdtempSync(join(tmpdir(), "haft-box-programs-"))
afterAll(() => rmSync(folder, { recursive: true }))

const runs = process.platform === "linux" && process.arch === "x64"
const asRoot = runs && process.getuid?.() === 0

function run(program: Uint8Array, rest: readonly string[] = [], input = "") {
  const path = join(folder, "program")
  writeFileSync(path, program, { mode: 0o755 })
  return spawnSync(path, [...rest], { input, encoding: "utf8", env: { GREETING: "hello" } })
}

test.runIf(runs)("a program of no calls succeeds, and an unexpected result ends it with 1", () => {
  const readNothing = { number: systemCalls.read, operands: [0, { stackAddress: -64 }, 8] }
  expect(run(systemCallProgram([])).status).toBe(0)
  expect(run(systemCallProgram([{ ...readNothing, expect: 0 }])).status).toBe(0)
  expect(run(systemCallProgram([{ ...readNothing, expect: 8 }]), [], "12345678").status).toBe(0)
  expect(run(systemCallProgram([{ ...readNothing, expect: 8 }, readNothing]), [], "short").status).toBe(1)
})

test.runIf(runs)("the seed program takes exactly one block", () => {
  expect(run(seedProgram(), [], "too short for a block").status).toBe(1)
})

test("a block holds the time and the random bytes as the kernel takes them", () => {
  const random = Uint8Array.from({ length: 32 }, (_, index) => index)
  const block = new DataView(seedBlock(1_700_000_000_250, random).buffer)
  expect(block.byteLength).toBe(56)
  expect(block.getBigInt64(0, true)).toBe(1_700_000_000n)
  expect(block.getBigInt64(8, true)).toBe(250_000_000n)
  expect(block.getInt32(16, true)).toBe(256)
  expect(block.getInt32(20, true)).toBe(32)
  expect(new Uint8Array(block.buffer, 24)).toEqual(random)
})

test.runIf(asRoot)("confine leaves no privilege, and hands arguments and variables on", () => {
  const script =
    'pwd; echo "$0 $1 $GREETING"; grep -E "^(Uid|Gid|Groups|CapBnd|CapEff|CapPrm|NoNewPrivs)" /proc/self/status'
  const { stdout, status } = run(confineProgram(), ["/", "/tmp", "/bin/sh", "sh", "-c", script, "name", "a b"])
  expect(status).toBe(0)
  expect(stdout.split("\n").map((line) => line.trim().replace(/\s+/g, " "))).toEqual([
    "/tmp",
    "name a b hello",
    `Uid: ${Array(4).fill(guestUser).join(" ")}`,
    `Gid: ${Array(4).fill(guestUser).join(" ")}`,
    "Groups:",
    "CapPrm: 0000000000000000",
    "CapEff: 0000000000000000",
    "CapBnd: 0000000000000000",
    "NoNewPrivs: 1",
    "",
  ])
})

test.runIf(asRoot)("confine runs nothing when a step fails", () => {
  const { stdout, status } = run(confineProgram(), ["/", "/does/not/exist", "/bin/echo", "echo", "ran"])
  expect({ stdout, status }).toEqual({ stdout: "", status: 1 })
})
