import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { CallScope, GrepFound, Search } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openSessionFiles, type SessionFiles } from "../files/session-files.js"
import { temporaryIn } from "../files/session-folder.js"
import { compileGlob } from "./compile-glob.js"
import { LeftFolders } from "./confirm.js"
import { globIn } from "./glob-in.js"
import { createSearch } from "./index.js"

const rounds = 150

// Only descriptors prevent a symlink race; elsewhere a swap is detected at most.
describe.skipIf(process.platform !== "linux").each(["workspace", "/tmp of the session"])(
  "against a process that swaps files and folders of the %s for links out, a search",
  (place) => {
    let base: string
    let files: SessionFiles
    let swapper: ChildProcess
    let path: string

    beforeEach(async () => {
      base = realpathSync(mkdtempSync(join(tmpdir(), "haft-swap-")))
      const at = (name: string) => join(base, name)
      for (const folder of ["workspace/swapped", "outside/folder"]) mkdirSync(at(folder), { recursive: true })
      writeFileSync(at("outside/secret"), "needle outside\n")
      writeFileSync(at("outside/folder/inner"), "needle outside\n")
      writeFileSync(at("outside/folder/only-outside"), "needle outside\n")
      files = openSessionFiles({
        roots: [at("workspace")],
        directory: at("workspace"),
        sessionFolder: at("session"),
        historyFolder: at("history"),
        keptOfTemporary: [],
      })
      const isTemporary = place !== "workspace"
      path = isTemporary ? "/tmp/swapped" : "swapped"
      const folder = join(isTemporary ? temporaryIn(at("session")) : at("workspace"), "swapped")
      for (let number = 0; number < 20; number += 1) {
        mkdirSync(join(folder, `folder-${number}`), { recursive: true })
        writeFileSync(join(folder, `folder-${number}/inner`), "needle inside\n")
        writeFileSync(join(folder, `file-${number}`), "needle inside\n")
      }
      const script = join(import.meta.dirname, "../../test/child/swap-many.mjs")
      swapper = spawn(process.execPath, [script, folder, at("outside")], { stdio: ["ignore", "pipe", "inherit"] })
      await once(swapper.stdout!, "data")
    })

    afterEach(async () => {
      const ended = once(swapper, "exit")
      swapper.kill("SIGKILL")
      await ended
      await files.close()
      rmSync(base, { recursive: true, force: true })
    })

    test("shows no line from outside", { retry: 0, timeout: 120_000 }, async () => {
      const seen = new Map<string, number>()
      let changed = 0
      for (let round = 0; round < rounds; round += 1) {
        const found = await search().grep({ ...request, path, glob: round % 2 === 0 ? "file-*" : "inner" })
        for (const { text } of found.matches) seen.set(text, (seen.get(text) ?? 0) + 1)
        changed += found.skipped.changed ?? 0
      }
      expect(seen.get("needle outside")).toBe(undefined)
      // The race took place: some files could be confirmed, others not.
      expect(seen.get("needle inside")).toBeGreaterThan(0)
      expect(changed).toBeGreaterThan(0)
    })

    test("shows no line from outside when it begins in a file", { retry: 0, timeout: 120_000 }, async () => {
      const seen = new Set<string>()
      for (let round = 0; round < rounds; round += 1) {
        const one = `${path}/file-${round % 20}`
        const found = await search()
          .grep({ ...request, path: one })
          .catch(() => ({ matches: [] }))
        for (const { text } of found.matches) seen.add(text)
      }
      expect([...seen]).toEqual(["needle inside"])
    })

    test("lists and counts no file from outside", { retry: 0, timeout: 120_000 }, async () => {
      const names = new Set<string>()
      let changed = 0
      for (let round = 0; round < rounds; round += 1) {
        const isGlob = round % 2 === 0
        const found = isGlob
          ? await search().glob({ pattern: "**/{inner,only-outside}", path, maxPaths: 1000, timeoutMs: 20_000 })
          : await search().grep({ ...request, path, glob: "{inner,only-outside}", maxMatchesPerFile: 1 })
        const paths = "paths" in found ? found.paths : found.matches.map((match) => match.path)
        for (const name of paths) names.add(name.slice(name.lastIndexOf("/") + 1))
        expect("paths" in found ? found.total : found.fileCount).toBe(paths.length)
        changed += found.skipped.changed ?? 0
      }
      expect([...names]).toEqual(["inner"])
      expect(changed).toBeGreaterThan(0)
    })

    function search(): Search {
      return createSearch(files)(scope())
    }
  },
)

describe.skipIf(process.platform === "win32")("of a folder in which something changed just now", () => {
  let base: string
  let files: SessionFiles
  const put = (name: string, content: string | Buffer) => writeFileSync(join(base, "workspace", name), content)

  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "haft-confirm-")))
    mkdirSync(join(base, "workspace/sub/deep"), { recursive: true })
    const [root, sessionFolder, historyFolder] = ["workspace", "session", "history"].map((name) => join(base, name))
    files = openSessionFiles({
      roots: [root!],
      directory: root!,
      sessionFolder: sessionFolder!,
      historyFolder: historyFolder!,
    })
    put("plain.txt", "zero\none needle\ntwo\n")
    put("sub/crlf.txt", "needle\r\nrest\r\n")
    put("sub/wide.txt", Buffer.from("\ufeffneedle ü\r\n", "utf16le"))
    put("sub/deep/long.txt", `${"a".repeat(50_000)}needle${"b".repeat(50_000)}\n`)
    put("sub/deep/binary", "needle\0needle\n")
    put("sub/deep/é\n2.txt", "needle\n")
    writeFileSync(Buffer.concat([Buffer.from(`${root}/sub/`), Buffer.from([0x66, 0xff, 0x67])]), "needle\n")
    for (let number = 0; number < 150; number += 1) put(`sub/deep/many-${number}`, "needle\nneedle\n")
    await setTimeout(150)
  })

  afterEach(async () => {
    await files.close()
    rmSync(base, { recursive: true, force: true })
  })

  test("a search gives the same as of one at rest, and only the changed part is searched twice", async () => {
    const wanted = [
      { ...request, contextLines: 1 },
      { ...request, maxMatches: 100 },
      { ...request, pattern: "needle(?=$)", maxMatchesPerFile: 1 },
      { ...request, path: "sub/wide.txt" },
    ]
    const listing = { pattern: "**", maxPaths: 100, timeoutMs: 20_000 }
    const { program, descriptorsOf } = await countingRipgrep(join(base, "rg"))
    const search = () => createSearch({ ...files, program })(scope())
    const findAll = async () => [
      await search().glob(listing),
      ...(await Promise.all(wanted.map((each) => search().grep(each)))),
    ]
    const atRest = await findAll()
    expect(atRest[1]).toMatchObject({ complete: true, fileCount: 156, skipped: { denied: 0, unreadable: 0 } })
    expect(atRest[2]).toMatchObject({ complete: false, matches: { length: 100 } })
    expect(descriptorsOf()).toBe(0)
    put("sub/new.txt", "nothing")
    expect(paths(await search().grep(request))).toEqual(paths(atRest[1] as GrepFound))
    // Only what is in and below the changed folder.
    expect(descriptorsOf()).toBe(155)
    rmSync(join(base, "workspace/sub/new.txt"))
    expect(await findAll()).toEqual(atRest)
  })

  test("a search of the changed part can be cancelled, and gives what it has when its time is up", async () => {
    put("sub/new.txt", "nothing")
    const { program } = await countingRipgrep(join(base, "rg"), "exec sleep 5")
    const controller = new AbortController()
    const search = createSearch({ ...files, program })
    const cancelled = search({ ...scope(), signal: controller.signal }).grep(request)
    await setTimeout(1000).then(() => controller.abort())
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" })
    put("sub/newer.txt", "nothing")
    const late = await search(scope()).grep({ ...request, timeoutMs: 1500 })
    expect(late).toMatchObject({ timedOut: true, complete: false, matches: [{ path: "plain.txt" }] })
  })

  test("names of denied files count only when they are there", async () => {
    put("sub/new.txt", "nothing")
    const denying = scope({ admits: (_, path) => !path.includes("many") })
    const found = await createSearch(files)(denying).glob({ pattern: "**", maxPaths: 1000, timeoutMs: 20_000 })
    expect(found).toMatchObject({ skipped: { denied: 150, unreadable: 0 } })
    expect(found.skipped).not.toHaveProperty("changed")
  })
})

test("a sorted list looks at a folder when it leaves it, after all that are below, and sees what changed before", async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-left-")))
  try {
    for (const folder of ["a/q/r", "b", "c"]) mkdirSync(join(base, folder), { recursive: true })
    const startMs = Date.now() + 150
    const held = { path: base, cwd: base, close: () => undefined }
    const show = (path: string) => path
    const stopAtMs = startMs + 60_000
    const place = { program: "rg", held, workingDirectory: base, call: scope(), startMs, stopAtMs, show }
    const quiet = new LeftFolders(place)
    quiet.goOn("a\0q\0f")
    expect(quiet.end()).toBe(true)
    const left = new LeftFolders(place)
    for (const key of ["a\0q\0r\0f", "a\0q\0r\0g", "a\0z", "b\0f"]) left.goOn(key)
    expect([...left.looked]).toEqual([
      ["a\0q\0r", true],
      ["a\0q", true],
      ["a", true],
    ])
    await setTimeout(startMs - Date.now())
    writeFileSync(join(base, "b/new"), "")
    left.goOn("c\0f")
    expect(left.looked.get("b")).toBe(false)
    expect(left.looked.has("")).toBe(false)
    expect(left.end()).toBe(false)
    expect([...left.looked.keys()].slice(-2)).toEqual(["c", ""])
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})

test.skipIf(process.platform !== "linux").each(["sorted", "parallel"])(
  "a %s list shows nothing of a folder that became a link out while it ran, deep below a place at rest",
  async (run) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-list-")))
    try {
      for (const folder of ["place/a/swapped", "outside"]) mkdirSync(join(base, folder), { recursive: true })
      for (const file of ["place/a/swapped/inner", "place/a/kept"]) writeFileSync(join(base, file), "")
      const { rgPath } = await import("@vscode/ripgrep")
      const program = join(base, "rg")
      const slow = run === "parallel" ? 'case "$*" in *--sort=path*) exec sleep 20;; esac' : ":"
      const swap = `mv "${base}/place/a/swapped" "${base}/moved" && ln -s ../../outside "${base}/place/a/swapped"`
      writeFileSync(
        program,
        `#!/bin/sh\nPATH=/usr/bin:/bin\n${slow}\n${swap}\n"${rgPath}" "$@"\nprintf 'a/swapped/inner\\0'\n`,
      )
      chmodSync(program, 0o755)
      await setTimeout(300)
      const startMs = Date.now()
      const path = join(base, "place")
      const held = { path, cwd: path, close: () => undefined }
      const show = (name: string) => name
      const place = { program, held, workingDirectory: path, call: scope(), startMs, stopAtMs: startMs + 20_000, show }
      const found = await globIn(place, { pattern: "**", maxPaths: 1000, timeoutMs: 20_000 }, compileGlob("**"))
      expect(found).toMatchObject({ paths: ["a/kept"], skipped: { changed: 1 } })
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  },
)

/** A ripgrep that writes down how many descriptors it searches, after doing what is said in those runs. */
async function countingRipgrep(program: string, before = ":") {
  const { rgPath } = await import("@vscode/ripgrep")
  const log = `${program}.log`
  writeFileSync(log, "")
  const script = `for each; do case "$each" in ./[0-9]*) n=1; echo "$each" >> "${log}";; esac; done`
  writeFileSync(program, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n[ -z "$n" ] || ${before}\nexec "${rgPath}" "$@"\n`)
  chmodSync(program, 0o755)
  return { program, descriptorsOf: () => readFileSync(log, "utf8").split("\n").length - 1 }
}

function paths(found: GrepFound): string[] {
  return [...new Set(found.matches.map(({ path }) => path))]
}

function scope(grant: Partial<CallScope["grant"]> = {}): CallScope {
  return {
    callId: "call",
    sessionId: "session",
    signal: new AbortController().signal,
    deadlineMs: Date.now() + 60_000,
    grant: { admits: () => true, mayKeep: () => true, ...grant },
    observe: () => undefined,
  }
}

const request = { pattern: "needle", contextLines: 0, ignoreCase: false, maxMatches: 2000, timeoutMs: 20_000 }
