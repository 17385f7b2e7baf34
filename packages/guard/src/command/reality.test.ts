import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { generatedLine } from "../../test/commands/generated-line.js"
import { joinPath } from "../path/join-path.js"
import { analyzeBash } from "./analyze-bash.js"

const hasBash = spawnSync("bash", ["--version"]).status === 0
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-reality-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const analyse = (text: string, directory = folder) =>
  analyzeBash(text, { directory, home: "/home/me", roots: [directory] })

function writesOf(
  text: string,
  directory = folder,
): { readonly writes: ReadonlySet<string>; readonly opaque: boolean } {
  const { parts } = analyse(text, directory)
  const writes = parts.flatMap((part) => part.writes.map((path) => joinPath(part.directory, path)))
  return { writes: new Set(writes), opaque: parts.some((part) => part.opaque) }
}

describe("redirections", () => {
  test("of generated lines are never lost", () => {
    fc.assert(
      fc.property(generatedLine, ({ text, writes }) => {
        const found = writesOf(text)
        // Lines that nest too many shells are opaque, and then not all of their files are known.
        if (found.opaque) return
        for (const name of writes) expect(found.writes).toContain(join(folder, name))
      }),
      { numRuns: 800 },
    )
  })

  test("most generated lines are understood", () => {
    const lines = fc.sample(generatedLine, 200)
    expect(lines.filter(({ text }) => !writesOf(text).opaque).length).toBeGreaterThan(150)
  })

  test.skipIf(!hasBash)(
    "every file that bash really makes was foreseen",
    () => {
      fc.assert(
        fc.property(generatedLine, ({ text }) => {
          // A folder for each: what runs in the background may write after bash has ended.
          const own = mkdtempSync(join(folder, "run-"))
          const { writes, opaque } = writesOf(text, own)
          spawnSync("bash", ["--norc", "-c", `${text}\nwait`], { cwd: own, timeout: 5000, stdio: "ignore" })
          if (!opaque) for (const name of readdirSync(own)) expect(writes, text).toContain(join(own, name))
        }),
        { numRuns: 500 },
      )
    },
    600_000,
  )
})

describe.skipIf(!hasBash)("words", () => {
  const piece = fc.constantFrom(
    ..."abc-./=,:@%+~#!^".split(""),
    ..." \\ ' \" $' {a,b} {1..3} {x {} '' \"\" \\' \\\" \\\\ \\$ \\` 'a b' \"c d\" $'\\t' $'\\x41' $'\\101' $'\\u00e9' é \u3000 \\\n $HOME ~/ a~ [ ] * ?".split(
      " ",
    ),
  )
  const word = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""))
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(" "))

  test("that are known are the words that bash gives to the program", () => {
    const lines = fc.sample(words, { numRuns: 400, seed: 20 })
    const known = lines
      .map((line) => ({ line, parts: analyse(`printf '%s\\1' A ${line}`).parts }))
      .filter(({ parts }) => parts.length === 1 && !parts[0]!.opaque && parts[0]!.unresolved.length === 0)
    expect(known.length).toBeGreaterThan(100)
    // One bash for all: a line that it cannot read must not end the others.
    const script = `while IFS= read -r -d '' line; do bash --norc -c "printf '%s\\\\1' A $line" 2>/dev/null; printf '\\2'; done`
    const { stdout } = spawnSync("bash", ["-c", script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: "/home/me", LC_ALL: "C.UTF-8" },
      input: known.map(({ line }) => `${line}\0`).join(""),
    })
    const given = stdout.toString("utf8").split("\u0002")
    for (const [index, { line, parts }] of known.entries()) {
      expect(given[index]!.split("\u0001").slice(0, -1), JSON.stringify(line)).toEqual(parts[0]!.argv.slice(2))
    }
  }, 600_000)
})
