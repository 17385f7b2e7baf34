import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runsOnlyReads } from "./awk-program.js"
import { readSedScript } from "./sed-script.js"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-texts-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pieces = (...list: readonly string[]) =>
  fc.array(fc.constantFrom(...list), { minLength: 1, maxLength: 5 }).map((found) => found.join(""))

const hasAwk = spawnSync("awk", ["BEGIN { exit 0 }"]).status === 0
const hasSed = spawnSync("sed", ["p"], { input: "" }).status === 0

function filesMadeBy(program: string, text: string): readonly string[] {
  spawnSync("timeout", ["-s", "KILL", "2", program, text], { cwd: folder, input: 'a/b="c\n]x\n', stdio: "pipe" })
  return readdirSync(folder)
}

describe("texts that are said to change nothing make no file", () => {
  const pattern = pieces(...'/ " a [ ] ^ \\ = # * ( ) [:alpha:] \\/ \\] [a] [^a]'.split(" ")).map((text) => `/${text}/`)
  const before = fc.constantFrom(
    ..."x =,if (1),while (0),exit,$,a,1,++,a++,(a),a[1],!,x ~,print,print a ;,else,length,a /,a ? 1 :".split(","),
    "a\n",
    "a \\\n",
    "# x\n",
  )
  const statement = fc.tuple(before, pattern).map(([start, end]) => `${start} ${end}`)
  const payload = fc.constantFrom('print 1 > "made"', 'system("touch made")', 'print 1 | "cat > made"')
  const program = fc
    .tuple(statement, fc.constantFrom("; ", "\n", " "), payload, fc.constantFrom("; ", "\n", " "), statement)
    .map((parts) => `BEGIN { a = 1; ${parts.join("")} }`)

  test.skipIf(!hasAwk)(
    "of awk",
    () => {
      let tried = 0
      fc.assert(
        fc.property(program, (text) => {
          if (!runsOnlyReads(text)) return
          tried += 1
          expect(filesMadeBy("awk", text), JSON.stringify(text)).toEqual([])
        }),
        { numRuns: 1500 },
      )
      expect(tried).toBeGreaterThan(20)
    },
    60_000,
  )

  const script = pieces(
    ..."s/ / [ ] ^ \\ a ; { } # b x g [^]/] [[:alpha:]/] [\\]/] y/ 1 , ! $ s, [a] s/a/b/ /a/".split(" "),
    "w made",
    "e touch made",
    "s/a/b/w made",
    "s/.*/touch made/e",
    "\n",
    "a\\\n",
  )

  test.skipIf(!hasSed)(
    "of sed",
    () => {
      let tried = 0
      fc.assert(
        fc.property(script, script, (start, end) => {
          const read = readSedScript(start + end)
          if (read === undefined || read.runs || read.commands.length > 0 || read.writes.length > 0) return
          tried += 1
          expect(filesMadeBy("sed", start + end), JSON.stringify(start + end)).toEqual([])
        }),
        { numRuns: 600 },
      )
      expect(tried).toBeGreaterThan(20)
    },
    60_000,
  )
})
