import { execFileSync } from "node:child_process"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { callAs } from "./call-as.js"

test("a shell gives the command exactly the arguments that were written", () => {
  const text = fc.string({ unit: "binary-ascii", maxLength: 30 }).filter((value) => !value.includes("\0"))
  fc.assert(
    fc.property(text, (value) => {
      const line = callAs.CLI("echo", { key: value }).replace("haft call echo", "printf %s")
      expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toBe(`key=${value}`)
    }),
    { numRuns: 60 },
  )
})

test("other values than texts are JSON", () => {
  expect(callAs.CLI("grep", { pattern: "a b", context: 2, hidden: true })).toBe(
    "haft call grep 'pattern=a b' context:=2 hidden:=true",
  )
  expect(JSON.parse(callAs.MCP("grep", { pattern: "x" }))).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "grep", arguments: { pattern: "x" } },
  })
})
