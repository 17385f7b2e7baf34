import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkTurns } from "./check-turns.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "haft-turns-"))
  await mkdir(join(root, "packages/agent/src/turn"), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const write = (name: string, text: string) => writeFile(join(root, "packages/agent/src/turn", name), text)

test.each([
  "const at = Date.now()",
  "const at = new Date()",
  "const at = performance.now()",
  "const dice = Math.random()",
  "const id = globalThis.crypto.randomUUID()",
  'import { randomBytes } from "node:crypto"',
  "setTimeout(() => {}, 5)",
  "setInterval(() => {}, 5)",
  'await fetch("http://x")',
  'import { readFile } from "node:fs/promises"',
  'import fs from "fs"',
  'const { spawn } = await import("node:child_process")',
])("a turn that has `%s` is found with its line", async (line) => {
  await write("turn.ts", `// A turn.\n${line}\n`)
  expect(await checkTurns(root)).toEqual([
    expect.stringMatching(/^packages\/agent\/src\/turn\/turn\.ts:2 (?:uses|imports) /),
  ])
})

test("the port, comments, dates of values and tests are free", async () => {
  await write(
    "turn.ts",
    "// Date.now is banned\n/* as is\n Math.random */\nawait port.now()\nnew Date(at)\nhost.fetch(url)\n",
  )
  await write("turn.test.ts", "Date.now()\n")
  expect(await checkTurns(root)).toEqual([])
})

test("the turns of this repository are free of clocks, randomness and effects", async () => {
  expect(await checkTurns(process.cwd())).toEqual([])
})
