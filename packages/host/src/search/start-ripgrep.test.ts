import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getDefaultHighWaterMark } from "node:stream"
import { afterAll, beforeAll, expect, test } from "vitest"
import { spawnRipgrep } from "./ripgrep-program.js"
import { readInPortions } from "./start-ripgrep.js"

let folder: string
let program: string

/** A program that writes as a parallel search does: many small pieces, one after the other. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-portions-"))
  program = join(folder, "writer")
  writeFileSync(program, "#!/bin/sh\nn=0\nwhile [ $n -lt 3000 ]; do echo line-$n; n=$((n+1)); done\n")
  chmodSync(program, 0o755)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("many small writes arrive whole, in order, and in far fewer portions", async () => {
  const child = spawnRipgrep({ program, arguments: [], cwd: folder })
  const portions: string[] = []
  for await (const piece of readInPortions(child.stdout, new AbortController().signal)) portions.push(String(piece))
  expect(portions.join("")).toBe(Array.from({ length: 3000 }, (_, number) => `line-${number}\n`).join(""))
  expect(portions.length).toBeLessThan(1000)
})

test("a reader that leaves early closes the pipe, so that the writer ends", async () => {
  const child = spawnRipgrep({ program, arguments: [], cwd: folder })
  const closed = new Promise((resolve) => child.once("close", resolve))
  for await (const piece of readInPortions(child.stdout, AbortSignal.abort())) if (piece.length > 0) break
  await closed
  expect(child.stdout.destroyed).toBe(true)
})

test("other streams of the process keep their own mark", () => {
  const before = getDefaultHighWaterMark(false)
  spawnRipgrep({ program, arguments: [], cwd: folder }).kill()
  expect(getDefaultHighWaterMark(false)).toBe(before)
})
