import { spawnSync } from "node:child_process"
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { isInside } from "@haft/contract"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { generatedLine } from "../../test/commands/generated-line.js"
import { gitCommands } from "../../test/commands/git-commands.js"
import { readingCommands } from "../../test/commands/reading-commands.js"
import { shellSyntax } from "../../test/commands/shell-syntax.js"
import { shellWordCommands } from "../../test/commands/shell-word-commands.js"
import { wrappedCommands } from "../../test/commands/wrapped-commands.js"
import { writingCommands } from "../../test/commands/writing-commands.js"
import { joinPath } from "../path.js"
import { analyzeBash } from "./analyze-bash.js"
import type { CommandPartAnalysis } from "./command-analysis.js"

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
      { numRuns: 300 },
    )
  })

  test("most generated lines are understood", () => {
    const lines = fc.sample(generatedLine, 100)
    expect(lines.filter(({ text }) => !writesOf(text).opaque).length).toBeGreaterThan(75)
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
        { numRuns: 40 },
      )
    },
    60_000,
  )
})

describe.skipIf(!hasBash)("words", () => {
  const piece = fc.constantFrom(
    ..."abc-./=,:@%+~#!^".split(""),
    ..." \\ ' \" $' {a,b} {1..3} {a..c} {1..5..2} {01..03} {b..a} {x {} '' \"\" \\' \\\" \\\\ \\$ \\` 'a b' \"c d\" $'\\t' $'\\x41' $'\\101' $'\\u00e9' é \u3000 \\\n $HOME ~/ a~ [ ] * ?".split(
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
      // Empty, so that wildcards find nothing and stay as they are.
      cwd: mkdtempSync(join(folder, "empty-")),
      env: { PATH: process.env.PATH, HOME: "/home/me", LC_ALL: "C.UTF-8" },
      input: known.map(({ line }) => `${line}\0`).join(""),
    })
    const given = stdout.toString("utf8").split("\u0002")
    for (const [index, { line, parts }] of known.entries()) {
      expect(given[index]!.split("\u0001").slice(0, -1), JSON.stringify(line)).toEqual(parts[0]!.argv.slice(2))
    }
  }, 60_000)
})

describe.skipIf(!hasBash)("programs", () => {
  // These wait for input or for a signal.
  const endless = /^(?:tail -f|watch|while true|until false|for f; do|select|yes|coproc|sleep|read|ps)/

  // Only what is understood and stays in its folder is really run.
  const understood = [readingCommands, writingCommands, shellWordCommands, wrappedCommands, shellSyntax, gitCommands]
    .flatMap((rows) => rows.map(([command]) => command))
    .filter((command) => !endless.test(command) && analyse(command, "/w").parts.every(staysInside))

  function staysInside({ opaque, hosts, writes, deletes, directory }: CommandPartAnalysis): boolean {
    const changed = [...writes, ...deletes].map((path) => joinPath(directory, path))
    return !opaque && hosts.length === 0 && changed.every((path) => isInside(path, "/w"))
  }

  test("that are understood change nothing but what they are said to change", () => {
    expect(understood.length).toBeGreaterThan(300)
    for (const command of understood) {
      const own = mkdtempSync(join(folder, "run-"))
      prepare(own)
      const before = stateOf(own)
      const { parts } = analyzeBash(command, { directory: own, home: join(own, "home"), roots: [own] })
      spawnSync("bash", ["--norc", "-c", command], {
        cwd: own,
        timeout: 5000,
        stdio: "ignore",
        env: { PATH: process.env.PATH, HOME: join(own, "home"), GIT_OPTIONAL_LOCKS: "0" },
      })
      const allowed = parts.flatMap(({ writes, deletes, directory }) =>
        [...writes, ...deletes].map((path) => joinPath(directory, path)),
      )
      for (const path of changesBetween(before, stateOf(own))) {
        const foreseen = allowed.some((place) => isInside(join(own, path), place))
        expect(foreseen, `${JSON.stringify(command)} changed ${path}`).toBe(true)
      }
    }
  }, 300_000)
})

/** The names that the tables use. */
function prepare(own: string): void {
  for (const name of ["src/x", "lib", "dir", "sub", "build", "x", "y", "home"])
    mkdirSync(join(own, name), { recursive: true })
  for (const name of [
    "a",
    "b",
    "c",
    "f",
    "g",
    "in",
    "src/a.ts",
    "sub/a",
    "a.ts",
    ".env",
    "a1",
    "home/x",
    "list",
    "pats",
  ]) {
    writeFileSync(join(own, name), `${name} 1\nx 2\n`)
  }
}

function stateOf(own: string): ReadonlyMap<string, string> {
  const state = new Map<string, string>()
  for (const entry of readdirSync(own, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode } = lstatSync(path)
    state.set(relative(own, path), entry.isFile() ? `${mode} ${readFileSync(path, "latin1")}` : String(mode))
  }
  return state
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}
