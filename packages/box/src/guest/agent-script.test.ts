import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { agentScript, guestFunctions, guestUser, seedBlock } from "./agent-script.js"

const hasPerl = process.platform === "linux" && process.arch === "x64" && spawnSync("perl", ["-e", "1"]).status === 0
const asRoot = hasPerl && process.getuid?.() === 0

/** Runs the functions of the guest on this host, without the folders that modules are found in. */
function perl(script: string, rest: readonly string[] = []) {
  const noModules = "BEGIN { @INC = () }"
  return spawnSync("perl", ["-e", `${noModules}${guestFunctions}${script}`, ...rest], {
    encoding: "utf8",
    env: { GREETING: "hello", PATH: process.env.PATH },
  })
}

test.runIf(hasPerl)("the script of the agent is one that Perl understands without any module", () => {
  const { status, stderr } = spawnSync("perl", ["-wc"], {
    input: `BEGIN { @INC = () }${agentScript}`,
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "- syntax OK\n" })
})

test.runIf(hasPerl)("the clock is left alone unless there is exactly one block", () => {
  for (const length of [0, 55, 57]) {
    expect(perl(`print seed("x" x ${length}) ? "set" : "refused"`)).toMatchObject({ status: 0, stdout: "refused" })
  }
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

test.runIf(asRoot)("confine leaves no privilege, and what runs then has the variables", () => {
  const script =
    'pwd; echo "$0 $1 $GREETING"; cd /proc/self; grep -E "^(Uid|Gid|Groups|Cap(Bnd|Eff|Prm)|NoNewPrivs)" status; grep processes limits'
  const then = 'limit(6, 500) && confine("/", "/tmp") or exit 1; exec { "/bin/sh" } "sh", "-c", @ARGV'
  const { stdout, status } = perl(then, [script, "name", "a b"])
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
    "Max processes 500 500 processes",
    "",
  ])
})

test.runIf(asRoot)("confine is false when a step fails", () => {
  expect(perl('print confine("/", "/does/not/exist") ? "confined" : "refused"').stdout).toBe("refused")
  expect(perl('print confine("/does/not/exist", "/") ? "confined" : "refused"').stdout).toBe("refused")
  // Without the right to change users, which root has given up here.
  const { stdout } = perl('confine("/", "/"); print confine("/", "/") ? "confined" : "refused"')
  expect(stdout).toBe("refused")
})
