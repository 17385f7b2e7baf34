import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { decodeWindow, encodeText } from "../text/codec.js"
import { detectEncoding } from "../text/encoding.js"
import { applyDiff } from "./apply-diff.js"
import { parseDiff } from "./parse-diff.js"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-git-apply-"))
  mkdirSync(join(folder, "old"))
  mkdirSync(join(folder, "new"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(args: readonly string[], input?: Uint8Array) {
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: tmpdir(),
  }
  return spawnSync("git", ["-c", "core.autocrlf=false", ...args], { cwd: folder, input, env: environment })
}

const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "alpha",
      "beta",
      "",
      "}",
      "  return x",
      "-- dash",
      "++ plus",
      "@@ -1 +1 @@",
      "größe",
      "日本",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => text.replace(/[\n\0]/g, "")) },
)
const odd = fc.constantFrom([0xe9], [0xff], [0xe2, 0x82], [0xc3, 0xa9], [0x80, 0x81], [0x0d], [0x0c])
const lineBytes = fc.oneof(
  { weight: 6, arbitrary: line.map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.tuple(line, odd).map(([text, bytes]) => Buffer.concat([Buffer.from(text), Buffer.from(bytes)])),
  },
)
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n")
const fileLines = fc.array(
  fc.tuple(lineBytes, ending).map(([text, feed]) => Buffer.concat([text, Buffer.from(feed)])),
  { maxLength: 40 },
)
const change = fc.record({
  at: fc.nat(),
  remove: fc.nat(3),
  add: fc.array(fc.tuple(lineBytes, ending), { maxLength: 3 }),
})

/** A file, and the same file after some changes; either may lack the last line break. */
const pair = fc
  .tuple(fileLines, fc.array(change, { minLength: 1, maxLength: 5 }), fc.boolean(), fc.boolean())
  .map(([lines, changes, oldOpen, newOpen]) => {
    const next = [...lines]
    for (const { at, remove, add } of changes) {
      next.splice(
        at % (next.length + 1),
        remove,
        ...add.map(([text, feed]) => Buffer.concat([text, Buffer.from(feed)])),
      )
    }
    return { before: join_(lines, oldOpen), after: join_(next, newOpen) }
  })

function join_(lines: readonly Buffer[], open: boolean): Buffer {
  const whole = Buffer.concat(lines)
  return open && whole.at(-1) === 10 ? whole.subarray(0, -1) : whole
}

test("diffs that git makes of random files apply to the same bytes as with git apply", async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(pair, fc.constantFrom(3, 3, 1, 0), async ({ before, after }, context) => {
      writeFileSync(join(folder, "old", "file"), before)
      writeFileSync(join(folder, "new", "file"), after)
      const made = git(["diff", "--no-index", "--text", `-U${context}`, "old/file", "new/file"])
      if (made.stdout.length === 0) return
      const detected = await detectEncoding(before)
      if (detected === "binary") return
      const diff = await decodeWindow(made.stdout, detected.encoding)
      // Text can not carry bytes that the file's encoding does not have; such a diff has no exact meaning.
      const carried = await encodeText(diff, detected.encoding).catch(() => undefined)
      if (carried === undefined || !made.stdout.equals(carried)) return
      // A hunk without any old line is refused by git too, unless the file is empty.
      if (context === 0 && /^@@ -\d+,0 /m.test(diff)) return
      const result = await applyDiff(before, parseDiff(diff), "file")
      expect(Buffer.from(result)).toEqual(after)
      // Without context git apply itself may choose another place with equal lines; the true file is the measure then.
      if (context === 0) return
      writeFileSync(join(folder, "new", "file"), before)
      const applied = git(["apply", "-p2", "--directory=new", "--include=new/file", "-"], made.stdout)
      if (applied.status !== 0) return
      expect(Buffer.from(result)).toEqual(readFileSync(join(folder, "new", "file")))
      compared += 1
    }),
    { numRuns: 150 },
  )
  expect(compared).toBeGreaterThan(60)
})
