import { describe, expect, test } from "vitest"
import { gitCommands } from "../../test/commands/git-commands.js"
import { networkCommands } from "../../test/commands/network-commands.js"
import { readingCommands } from "../../test/commands/reading-commands.js"
import { runningCommands } from "../../test/commands/running-commands.js"
import { shellSyntax } from "../../test/commands/shell-syntax.js"
import { shellWordCommands } from "../../test/commands/shell-word-commands.js"
import { type CommandRow, place, summary } from "../../test/commands/summary.js"
import { wrappedCommands } from "../../test/commands/wrapped-commands.js"
import { writingCommands } from "../../test/commands/writing-commands.js"
import { analyzeArgv, analyzeBash } from "./analyze-bash.js"
import { isWriteFree } from "./sandbox-for.js"

const families: readonly (readonly [string, readonly CommandRow[]])[] = [
  ["reading programs", readingCommands],
  ["shell words and facts", shellWordCommands],
  ["writing programs", writingCommands],
  ["git", gitCommands],
  ["network and package managers", networkCommands],
  ["interpreters and unknown programs", runningCommands],
  ["wrappers", wrappedCommands],
  ["shell syntax", shellSyntax],
]

describe.each(families)("%s", (_name, rows) => {
  test.each(rows)("%j: %s", (command, does) => {
    const analysis = analyzeBash(command, place)
    expect(summary(analysis)).toBe(does)
    for (const { opaque, why } of analysis.parts) expect(why !== undefined).toBe(opaque)
    if (isWriteFree(analysis)) expect(does).not.toMatch(/writes |deletes |hosts |opaque/)
  })
})

describe("analyzeBash", () => {
  const only = (text: string) => {
    const { parts } = analyzeBash(text, place)
    expect(parts).toHaveLength(1)
    return parts[0]!
  }

  test("gives words without quotes, the text as written and the folder", () => {
    expect(only(`git  commit -m "a 'b' \\"c\\""`)).toMatchObject({
      text: `git  commit -m "a 'b' \\"c\\""`,
      argv: ["git", "commit", "-m", `a 'b' "c"`],
      directory: "/w",
      plain: true,
      wrappers: [],
    })
  })

  test("looks through wrappers and keeps every spelling", () => {
    expect(only("timeout 5 nice -n 3 git status")).toMatchObject({
      argv: ["git", "status"],
      wrappers: ["timeout", "nice"],
      spellings: [
        ["timeout", "5", "nice", "-n", "3", "git", "status"],
        ["nice", "-n", "3", "git", "status"],
      ],
      readOnly: true,
    })
  })

  test.each(["X=1 git status", "git status > x", "git status $x", 'git status "$(id)"'])(
    "%s is not the plain command",
    (text) => {
      const { parts } = analyzeBash(text, place)
      expect(parts.at(-1)).toMatchObject({ argv: expect.arrayContaining(["git", "status"]), plain: false })
    },
  )

  test("copies of descriptors and /dev/null leave a command plain", () => {
    expect(only("npm test 2>&1 >/dev/null").plain).toBe(true)
  })

  test("the commands of a pipeline share a number, those of a substitution in it do not", () => {
    const { parts } = analyzeBash("cat a | grep $(cat b) | wc; ls", place)
    expect(parts.map(({ argv, pipeline }) => [argv[0], pipeline])).toEqual([
      ["cat", 0],
      ["cat", undefined],
      ["grep", 0],
      ["wc", 0],
      ["ls", undefined],
    ])
  })

  test("redirections are distinguished from the files that the program names", () => {
    expect(only("sort -o a b < c > d")).toMatchObject({
      reads: ["b", "c"],
      writes: ["a", "d"],
      redirected: { reads: ["c"], writes: ["d"] },
    })
  })

  test("the folder can be resolved by the host, for links", () => {
    const resolve = (path: string, from: string) => (path === "link" ? "/real" : `${from}/${path}`)
    const { parts } = analyzeBash("cd link && cat a", { ...place, resolve })
    expect(parts[1]).toMatchObject({ directory: "/real", reads: ["a"] })
  })

  test("no text is a part that does nothing", () => {
    for (const text of ["", "  \n", "# a comment"]) {
      expect(analyzeBash(text, place)).toMatchObject({
        parsed: true,
        parts: [{ opaque: false, readOnly: true, argv: [] }],
      })
    }
  })

  test("what cannot be read to its end is opaque, and what could be read still counts", () => {
    const { parsed, parts } = analyzeBash("cat .env\n)", place)
    expect(parsed).toBe(false)
    expect(parts[0]).toMatchObject({ reads: [".env"] })
    expect(parts.at(-1)).toMatchObject({ opaque: true, text: "cat .env\n)" })
  })

  test("a NUL character makes the whole opaque", () => {
    expect(analyzeBash("cat a\0b", place).parts.at(-1)).toMatchObject({ opaque: true, why: "it holds a NUL character" })
  })

  test.each([
    ["many commands", "ls;".repeat(400)],
    ["nested loops", `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(8)}cat $a;${" done;".repeat(8)}`],
    ["functions that call one another", "a() { b; b; }; b() { a; a; }; a"],
    ["a fork bomb", ":(){ :|:& };:"],
    ["shells in shells", "x=1; eval 'eval \"eval eval eval eval eval eval rm a\"'"],
  ])("%s end in an opaque part", (_name, text) => {
    expect(analyzeBash(text, place).parts.some(({ opaque }) => opaque)).toBe(true)
  })
})

describe("analyzeArgv", () => {
  test("takes words as they are: nothing is expanded", () => {
    const { parts } = analyzeArgv(["cat", "$HOME", "*.ts", "a b", "~"], place)
    expect(parts).toMatchObject([{ reads: ["$HOME", "*.ts", "a b", "~"], plain: true, opaque: false }])
  })

  test("a shell among the words is read like a line", () => {
    expect(summary(analyzeArgv(["bash", "-c", "cat a > b"], place))).toBe("reads a; writes b")
  })

  test("shell words are no programs that could run", () => {
    expect(analyzeArgv(["cd", "x"], place).parts[0]!.opaque).toBe(false)
    expect(analyzeArgv(["nonesuch"], place).parts[0]!.opaque).toBe(true)
    expect(analyzeArgv([], place).parts[0]!.opaque).toBe(true)
  })
})
