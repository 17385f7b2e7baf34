import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { type CallScope, type GrepRequest, type Search, ToolError } from "@haft/contract"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createSearch } from "./index.js"

let root: string
let outside: string

beforeEach(() => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "haft-search-")))
  root = join(folder, "workspace")
  outside = join(folder, "outside")
  put({ "../outside/secret.txt": "needle outside\n" })
  fs.mkdirSync(root, { recursive: true })
})

afterEach(() => fs.rmSync(dirname(root), { recursive: true, force: true }))

test("matches come in the order of paths and lines, with what surrounds them", async () => {
  put({ "b.txt": "zero\none needle\ntwo\nthree needle\n", "a/c.txt": "needle", "a-b.txt": "needle\r\nrest\r\n" })
  expect(await grep({ pattern: "needle" })).toEqual({
    matches: [
      { path: "a/c.txt", line: 1, text: "needle" },
      { path: "a-b.txt", line: 1, text: "needle" },
      { path: "b.txt", line: 2, text: "one needle" },
      { path: "b.txt", line: 4, text: "three needle" },
    ],
    fileCount: 3,
    complete: true,
    timedOut: false,
    skipped: { denied: 0, unreadable: 0 },
  })
  expect((await grep({ pattern: "one", contextLines: 2 })).matches).toEqual([
    { path: "b.txt", line: 2, text: "one needle", before: ["zero"], after: ["two", "three needle"] },
  ])
})

test("case counts unless it is said not to, and $ finds the end of a line with CRLF", async () => {
  put({ "a.txt": "Needle\r\n" })
  expect((await grep({ pattern: "needle" })).matches).toEqual([])
  expect((await grep({ pattern: "needle$", ignoreCase: true })).matches).toHaveLength(1)
})

test("ignore files count inside and outside a repository, hidden files are searched, .git is not", async () => {
  put({ ".gitignore": "dist/\n*.log\n", "dist/x.txt": "needle", "x.log": "needle", ".github/ci.yml": "needle" })
  put({ ".hg/store": "needle", "sub/.gitignore": "no.txt\n", "sub/no.txt": "needle", "sub/yes.txt": "needle" })
  for (const isRepository of [false, true]) {
    if (isRepository) put({ ".git/config": "needle" })
    expect(paths(await grep({ pattern: "needle" }))).toEqual([".github/ci.yml", "sub/yes.txt"])
    // A pattern does not bring back what is ignored, a folder that is named does.
    expect((await search().glob({ ...limits, pattern: "*.log" })).paths).toEqual([])
    expect((await search().glob({ ...limits, pattern: "dist/*" })).paths).toEqual(["dist/x.txt"])
    expect((await search().glob({ ...limits, path: "sub", pattern: "*.txt" })).paths).toEqual(["sub/yes.txt"])
  }
})

test("a search may take a few matches of each file, and go over line breaks", async () => {
  put({ "a.txt": "needle\nneedle\nneedle\n", "b.txt": "needle\nneedle\n" })
  const few = await grep({ pattern: "needle", maxMatchesPerFile: 1 })
  expect(few.matches.map(({ path, line }) => `${path}:${line}`)).toEqual(["a.txt:1", "b.txt:1"])
  expect(few.complete).toBe(true)
  put({ "c.txt": "begin\r\n\r\nend\r\n" })
  expect((await grep({ pattern: "begin.*end" })).matches).toEqual([])
  const over = await grep({ pattern: "begin.*end", multiline: true })
  expect(over.matches.map(({ line, text }) => `${line}:${text}`)).toEqual(["1:begin", "2:", "3:end"])
})

test("folders can be left out by name at any depth, but not the one that the search begins in", async () => {
  put({ "dist/a.txt": "", "sub/dist/b.txt": "", "dist.txt": "", "sub/[x]/c.txt": "", "sub/x/d.txt": "" })
  const glob = async (request: object) => (await search().glob({ ...limits, pattern: "**/*.txt", ...request })).paths
  expect(await glob({ skipFolders: ["dist", "[x]"] })).toEqual(["dist.txt", "sub/x/d.txt"])
  expect(await glob({ skipFolders: ["dist"], path: "sub/dist" })).toEqual(["sub/dist/b.txt"])
  expect(await glob({ skipFolders: ["dist"], pattern: "dist/*.txt" })).toEqual(["dist/a.txt"])
})

test("ignore files above a repository have no say", async () => {
  put({ "../.gitignore": "*\n", ".git/HEAD": "", "a.txt": "needle" })
  expect(paths(await grep({ pattern: "needle" }))).toEqual(["a.txt"])
  fs.rmSync(join(root, ".git"), { recursive: true })
  expect(paths(await grep({ pattern: "needle" }))).toEqual(["a.txt"])
})

test("[C2-22] a list says when it is not complete, and how many there are when it is", async () => {
  put(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${String(index).padStart(2, "0")}.ts`, ""])))
  expect(await search().glob({ ...limits, pattern: "*.ts" })).toMatchObject({ total: 20, complete: true })
  const cut = await search().glob({ ...limits, pattern: "*.ts", maxPaths: 3 })
  expect(cut).toEqual({ ...cut, paths: ["f00.ts", "f01.ts", "f02.ts"], complete: false })
  expect(cut).not.toHaveProperty("total")
  expect(await search().glob({ ...limits, pattern: "*.ts", maxPaths: 20 })).toMatchObject({ complete: true, total: 20 })
})

test("denied files are dropped, counted, and take no room from others", async () => {
  put({ ".env": "needle\nneedle\nneedle\n", "a.txt": "needle", "b.txt": "needle", "z/.env": "needle" })
  const guarded = search((path) => basename(path) !== ".env")
  const found = await guarded.grep({ ...request, pattern: "needle" })
  expect(paths(found)).toEqual(["a.txt", "b.txt"])
  expect(found.skipped).toEqual({ denied: 2, unreadable: 0 })
  expect(await guarded.grep({ ...request, pattern: "needle", maxMatches: 2 })).toMatchObject({ complete: true })
  const listed = await guarded.glob({ ...limits, pattern: "**" })
  expect(listed).toMatchObject({ paths: ["a.txt", "b.txt"], total: 2, skipped: { denied: 2 } })
})

test.skipIf(process.getuid?.() !== 0)("files that cannot be read are counted", async () => {
  put({ "a.txt": "needle", "b.txt": "needle" })
  const userOfNobody = 65534
  for (const folder of [dirname(root), root]) fs.chmodSync(folder, 0o755)
  fs.chmodSync(join(root, "a.txt"), 0o600)
  process.seteuid?.(userOfNobody)
  try {
    const found = await grep({ pattern: "needle" })
    expect(paths(found)).toEqual(["b.txt"])
    expect(found).toMatchObject({ complete: true, skipped: { denied: 0, unreadable: 1 } })
  } finally {
    process.seteuid?.(0)
  }
})

test("strange names are names and nothing else", async () => {
  const names = [
    "--files",
    "-e",
    "a b",
    "new\nline",
    "two\n\nbreaks",
    "ends\r",
    "ünï",
    "🙂.txt",
    "a:1:b",
    "[x]",
    "{a,b}",
    "*",
  ]
  put(Object.fromEntries(names.map((name) => [name, "needle\n"])))
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0x67])]), "needle\n")
  const sorted = [...names, "f\ufffdg"].sort((left, right) => Buffer.compare(bytesOf(left), bytesOf(right)))
  expect(paths(await grep({ pattern: "needle" }))).toEqual(sorted)
  expect((await search().glob({ ...limits, pattern: "**" })).paths).toEqual(sorted)
  for (const name of names) {
    expect(paths(await grep({ pattern: "needle", path: name }))).toEqual([name])
    const literal = name.replaceAll(/[[\]{}*?\\,]/g, "\\$&")
    expect((await search().glob({ ...limits, pattern: literal })).paths).toEqual([name])
  }
})

test("patterns that look like flags are patterns", async () => {
  put({ "a.txt": "--files\n-e\n--pre=cat\n" })
  for (const pattern of ["--files", "-e", "--pre=cat"]) expect((await grep({ pattern })).matches).toHaveLength(1)
})

test("an expression that is not valid is refused with the reason and an escaped version", async () => {
  put({ "a.txt": "call(me\n" })
  const refused: unknown = await grep({ pattern: "call(me" }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: "invalid_args", message: expect.stringContaining("unclosed group") })
  const { details } = refused as { details: { literal: string } }
  expect((await grep({ pattern: details.literal })).matches).toHaveLength(1)
  for (const pattern of ["(?=a", "(?<=a*)b", "a\nb", "\\w{1000}{1000}", "*", "[a", "\0", "x".repeat(200_000)]) {
    await expect(grep({ pattern })).rejects.toMatchObject({ code: "invalid_args" })
  }
})

test("an expression that makes other engines hang takes no time to speak of", async () => {
  put({ "a.txt": `${"a".repeat(200_000)}b\n` })
  expect((await grep({ pattern: "(a+)+$" })).matches).toEqual([])
})

test("the user's configuration of ripgrep and its environment have no effect", async () => {
  put({ "a.txt": "needle\n", rc: "--invert-match\n--files-with-matches\n" })
  process.env.RIPGREP_CONFIG_PATH = join(root, "rc")
  try {
    expect(paths(await grep({ pattern: "needle" }))).toEqual(["a.txt"])
  } finally {
    delete process.env.RIPGREP_CONFIG_PATH
  }
})

test("binary files are skipped and UTF-16 with a mark is read", async () => {
  put({ "early.bin": "needle\0needle\n", "late.bin": `needle\n${"other\n".repeat(50_000)}\0\n` })
  fs.writeFileSync(join(root, "wide.txt"), Buffer.from("\ufeffneedle ü\r\n", "utf16le"))
  expect((await grep({ pattern: "needle" })).matches).toEqual([{ path: "wide.txt", line: 1, text: "needle ü" }])
})

test("a very long line is shown by its beginning when the match is there", async () => {
  put({ "long.txt": `needle ${"x".repeat(10_000_000)}\n` })
  const { matches } = await grep({ pattern: "needle" })
  expect(matches).toEqual([{ path: "long.txt", line: 1, text: `needle ${"x".repeat(1993)} [... 9998007 more bytes]` }])
})

test("a match far into a long line is shown with its column and what is around it", async () => {
  const line = `${"a".repeat(5000)}needle${"b".repeat(5000)}`
  put({ "long.txt": `${line}\nshort needle\r\n${"c".repeat(3000)}\n`, "end.txt": `${"é".repeat(3000)}needle` })
  const { matches } = await grep({ pattern: "needle", contextLines: 1 })
  const wide = `${"a".repeat(500)}needle${"b".repeat(1494)}`
  const middle = `[... 4500 bytes; the match is at column 5001 ...] ${wide} [... 3506 more bytes]`
  const head = `${"c".repeat(2000)} [... 1000 more bytes]`
  expect(matches).toEqual([
    {
      ...{ path: "end.txt", line: 1, before: [], after: [] },
      text: `[... 5500 bytes; the match is at column 6001 ...] ${"é".repeat(250)}needle`,
    },
    { path: "long.txt", line: 1, text: middle, before: [], after: ["short needle"] },
    { path: "long.txt", line: 2, text: "short needle", before: [middle], after: [head] },
  ])
})

test("thousands of long lines cost little memory and little time", async () => {
  put({ "long.txt": `${"a".repeat(100_000)}needle${"b".repeat(100_000)}\n`.repeat(500) })
  const { matches } = await grep({ pattern: "needle" })
  expect(matches).toHaveLength(500)
  expect(matches.every(({ text }) => text.includes("column 100001") && text.length < 2200)).toBe(true)
})

test("look-around and back-references work through PCRE2", async () => {
  put({ "a.txt": "foobar\nfoobaz\nabab\r\n", "b.txt": `${"x".repeat(4000)}foobar\n` })
  expect((await grep({ pattern: "foo(?=baz)" })).matches).toEqual([{ path: "a.txt", line: 2, text: "foobaz" }])
  expect((await grep({ pattern: "(?<!x)foo(?!baz)", contextLines: 1 })).matches).toEqual([
    { path: "a.txt", line: 1, text: "foobar", before: [], after: ["foobaz"] },
  ])
  expect((await grep({ pattern: "^(AB)\\1$", ignoreCase: true })).matches).toEqual([
    { path: "a.txt", line: 3, text: "abab" },
  ])
  expect((await grep({ pattern: "(?<=x)FOO(?=bar)", ignoreCase: true })).matches[0]?.text).toContain("column 4001")
})

test("a backtracking search that gives up is an error that says so, never an empty result", async () => {
  put({ "a.txt": "needle\n", "evil.txt": `${"a".repeat(40)}b\n` })
  const pattern = "^(?=((a+)+)$)|needle(?=$)"
  await expect(grep({ pattern })).rejects.toMatchObject({
    code: "invalid_args",
    message: `Cannot search for "${pattern}": it needs too many steps in "evil.txt", PCRE2 says "match limit exceeded"`,
    hint: expect.stringContaining("without repetitions inside of repetitions"),
  })
  // What is not searched for the caller cannot fail for the caller.
  expect(paths(await grep({ pattern, glob: "a.*" }))).toEqual(["a.txt"])
  const guarded = search((path) => basename(path) !== "evil.txt")
  expect(await guarded.grep({ ...request, pattern })).toMatchObject({ matches: [{ path: "a.txt" }] })
})

test("a backtracking search ends at its deadline", async () => {
  // Each line is short enough not to reach the limit of steps; all of them take minutes.
  put({ "evil.txt": `${"a".repeat(18)}b\n`.repeat(200_000) })
  const start = Date.now()
  expect(await grep({ pattern: "^(?=((a+)+)$)", timeoutMs: 300 })).toMatchObject({ timedOut: true, complete: false })
  expect(Date.now() - start).toBeLessThan(5_000)
})

test("a pattern of PCRE2 that is not valid says what is wrong and where", async () => {
  put({ "a.txt": "" })
  await expect(grep({ pattern: "(?=a" })).rejects.toMatchObject({
    message:
      'Cannot search for "(?=a": it is no valid regular expression, missing closing parenthesis at character 5; correct or escape it',
  })
  await expect(grep({ pattern: "(?<=a*)b" })).rejects.toMatchObject({
    message: expect.stringContaining("length of lookbehind assertion is not limited at character 1"),
  })
})

test("the ripgrep that comes with this package has PCRE2", async () => {
  const { rgPath } = await import("@vscode/ripgrep")
  expect(execFileSync(rgPath, ["--pcre2-version"], { encoding: "utf8" })).toMatch(/^PCRE2 \d+\.\d+ is available/)
})

test("with a ripgrep that was built without PCRE2 look-around is an error that says so", async () => {
  const { rgPath } = await import("@vscode/ripgrep")
  const program = join(dirname(root), "rg")
  const says = "rg: PCRE2 is not available in this build of ripgrep"
  fs.writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in *--engine=pcre2*) echo '${says}' >&2; exit 2;; esac\nexec "${rgPath}" "$@"\n`,
  )
  fs.chmodSync(program, 0o755)
  put({ "a.txt": "foobar\n" })
  const lacking = createSearch({ ...options(), program })(scope())
  expect((await lacking.grep({ ...request, pattern: "foo" })).matches).toHaveLength(1)
  await expect(lacking.grep({ ...request, pattern: "foo(?=bar)" })).rejects.toMatchObject({
    code: "not_configured",
    message:
      'Cannot search for "foo(?=bar)": this ripgrep was built without PCRE2, which look-around and back-references need',
    hint: expect.stringContaining("without look-around"),
  })
})

test("folders whose names look like a class are found, and so is what the class means", async () => {
  put({ "app/[id]/page.tsx": "needle", "app/[id]/[...rest]/a.tsx": "needle", "app/x/page.tsx": "needle" })
  const glob = async (pattern: string) => (await search().glob({ ...limits, pattern })).paths
  expect(await glob("app/[id]/*.tsx")).toEqual(["app/[id]/page.tsx"])
  expect(await glob("app/[id]/[...rest]/*.tsx")).toEqual(["app/[id]/[...rest]/a.tsx"])
  expect(await glob("**/[id]/**/*.tsx")).toEqual(["app/[id]/[...rest]/a.tsx", "app/[id]/page.tsx"])
  expect(await glob("app/[w-z]/*.tsx")).toEqual(["app/x/page.tsx"])
  expect(paths(await grep({ pattern: "needle", glob: "app/[id]/*.tsx" }))).toEqual(["app/[id]/page.tsx"])
})

test("a list may take letters in either case", async () => {
  put({ "README.md": "", "sub/readme.MD": "", "other.md": "" })
  const glob = async (request: object) => (await search().glob({ ...limits, pattern: "*ReadMe*", ...request })).paths
  expect(await glob({ ignoreCase: true })).toEqual(["README.md", "sub/readme.MD"])
  expect(await glob({})).toEqual([])
})

test("links are not followed, and a path that leads out is refused", async () => {
  put({ "real/a.txt": "needle" })
  fs.symlinkSync(outside, join(root, "out"))
  fs.symlinkSync("real", join(root, "in"))
  expect(paths(await grep({ pattern: "needle" }))).toEqual(["real/a.txt"])
  expect(paths(await grep({ pattern: "needle", path: "in" }))).toEqual(["real/a.txt"])
  for (const path of ["out", "../outside", outside, `${outside}/missing`]) {
    await expect(grep({ pattern: "needle", path })).rejects.toMatchObject({ code: "denied" })
    await expect(search().glob({ ...limits, pattern: `${path}/*.txt` })).rejects.toMatchObject({ code: "denied" })
  }
})

test("a missing path is not found, a missing folder of a pattern is an empty list", async () => {
  await expect(grep({ pattern: "x", path: "nowhere" })).rejects.toMatchObject({ code: "not_found" })
  const missing = search().glob({ ...limits, pattern: "a/*", path: "nowhere" })
  await expect(missing).rejects.toMatchObject({ code: "not_found" })
  put({ "file.txt": "" })
  for (const pattern of ["nowhere/**/*.ts", "file.txt/*.ts"]) {
    expect(await search().glob({ ...limits, pattern })).toMatchObject({ paths: [], complete: true })
  }
})

test("without ripgrep a search says how to get it", async () => {
  const lacking = createSearch({ ...options(), program: join(root, "no-rg") })(scope())
  await expect(lacking.grep({ ...request, pattern: "x" })).rejects.toMatchObject({
    code: "not_configured",
    fix: expect.stringContaining("npm install"),
  })
})

test("whatever pattern and glob say, nothing outside is found and only invalid arguments are refused", async () => {
  put({ "a.txt": "needle --files ! {a,b} [x]\n", "sub/b.ts": "needle\n", "--pre": "needle\n" })
  const piece = fc.constantFrom(
    "*",
    "**",
    "/",
    "!",
    "{",
    "}",
    ",",
    "[",
    "]",
    "\\",
    "..",
    "-",
    "--files",
    "a",
    ".ts",
    ":",
    "\0",
    "é",
  )
  const hostile = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
  )
  const inside = (path: string) => expect(["a.txt", "sub/b.ts", "--pre"]).toContain(path)
  const expected = (error: unknown) => {
    expect(ToolError.is(error) ? error.code : error).toMatch(/^(invalid_args|denied)$/)
    return undefined
  }
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (pattern, glob) => {
      paths((await grep({ pattern, glob }).catch(expected)) ?? { matches: [] }).forEach(inside)
      const listed = await search()
        .glob({ ...limits, pattern: glob })
        .catch(expected)
      listed?.paths.forEach(inside)
    }),
    { numRuns: 150 },
  )
})

const limits = { maxPaths: 10_000, timeoutMs: 20_000 }
const request = { contextLines: 0, ignoreCase: false, maxMatches: 2000, timeoutMs: 20_000 }

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, name)), { recursive: true })
    fs.writeFileSync(join(root, name), content)
  }
}

function grep(wanted: Partial<GrepRequest> & { pattern: string }): ReturnType<Search["grep"]> {
  return search().grep({ ...request, ...wanted })
}

function search(admits: (path: string) => boolean = () => true): Search {
  return createSearch(options())(scope(admits))
}

function scope(admits: (path: string) => boolean = () => true): CallScope {
  return {
    callId: "call",
    sessionId: "session",
    signal: new AbortController().signal,
    deadlineMs: Date.now() + 60_000,
    grant: { admits: (_, path) => admits(path), mayKeep: () => true },
    observe: () => undefined,
  }
}

/** Directories as the files port opens them, without its safe walk. */
function options(): Parameters<typeof createSearch>[0] {
  return {
    directory: root,
    display: (path) => relative(root, path),
    openDirectory: async (path) => {
      const facts = fs.statSync(path, { throwIfNoEntry: false })
      const resolved = facts === undefined ? path : fs.realpathSync(path)
      if (!`${resolved}/`.startsWith(`${root}/`)) throw new ToolError("denied", `Cannot open "${path}": outside`)
      if (facts === undefined) throw new ToolError("not_found", `Cannot open "${path}": it does not exist`)
      const directory = facts.isFile() ? dirname(resolved) : resolved
      const handle = fs.openSync(directory, "r")
      const single = facts.isFile() ? { single: basename(resolved) } : {}
      return { path: directory, cwd: `/proc/self/fd/${handle}`, ...single, close: () => fs.closeSync(handle) }
    },
  }
}

function paths(found: { readonly matches: readonly { readonly path: string }[] }): string[] {
  return [...new Set(found.matches.map(({ path }) => path))]
}

function bytesOf(name: string): Buffer {
  return name === "f\ufffdg" ? Buffer.from([0x66, 0xff, 0x67]) : Buffer.from(name)
}
