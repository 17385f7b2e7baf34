import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionPorts } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, callScope, failureOf, textOf } from "../test/file-ground.js"
import { removeSessionFolder } from "./files/index.js"
import { contentHash } from "./files/system/content-hash.js"
import { openSessionPorts, type SessionPortsOptions } from "./session-ports.js"

let folder: string
let ports: SessionPorts
let options: SessionPortsOptions
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-ports-")))
  mkdirSync(join(folder, "work/src"), { recursive: true })
  writeFileSync(join(folder, "work/src/a.ts"), "export const a = 1\n")
  options = {
    roots: [join(folder, "work")],
    directory: join(folder, "work"),
    sessionFolder: join(folder, "home/sessions/one"),
    historyFolder: join(folder, "home/history"),
  }
  ports = await openSessionPorts(options)
})
afterEach(async () => {
  await ports.close()
  rmSync(folder, { recursive: true, force: true })
})
const files = () => ports.files(callScope([]))

describe("the session's own folders", () => {
  test("[C2-47] a sidecar is in the session's folder, closed to others, and read opens it", async () => {
    const path = await ports.writeSidecar("call_1", "the whole output")
    expect(path.startsWith(options.sessionFolder)).toBe(true)
    expect(textOf((await files().open(path)).whole)).toBe("the whole output")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(options.sessionFolder).mode & 0o777).toBe(0o700)
    expect(await ports.writeSidecar("call_1", "a second one")).not.toBe(path)
    const tricky = await ports.writeSidecar("../../../etc/evil\0", "x")
    expect(tricky.startsWith(join(options.sessionFolder, "out"))).toBe(true)
  })

  test("are made when they are needed, not before", async () => {
    expect(existsSync(options.sessionFolder)).toBe(false)
    await files().write(join(options.sessionFolder, "scratch/deep/note.txt"), bytes("x"))
    expect(readdirSync(options.sessionFolder)).toEqual(["scratch"])
    expect(statSync(join(options.sessionFolder, "scratch")).mode & 0o777).toBe(0o700)
  })

  test("[C2-182] another session's scratch is out of reach, also through a link", async () => {
    const other = join(folder, "home/sessions/two/scratch")
    mkdirSync(other, { recursive: true })
    writeFileSync(join(other, "note"), "foreign")
    await files().write(join(options.sessionFolder, "scratch/own"), bytes("x"))
    symlinkSync(other, join(options.sessionFolder, "scratch/link"))
    for (const path of [join(other, "note"), join(options.sessionFolder, "scratch/link/note")]) {
      expect((await failureOf(files().open(path))).code).toBe("denied")
    }
  })

  test("[C2-45] [C2-182] are deleted when the session ends, without following links", async () => {
    const sidecar = await ports.writeSidecar("call_1", "x")
    await files().write(join(options.sessionFolder, "scratch/own"), bytes("x"))
    symlinkSync(join(folder, "work"), join(options.sessionFolder, "scratch/link"))
    await ports.close()
    expect(existsSync(sidecar)).toBe(true)
    await removeSessionFolder(options.sessionFolder)
    expect(existsSync(options.sessionFolder)).toBe(false)
    expect(readFileSync(join(folder, "work/src/a.ts"), "utf8")).toContain("export")
  })
})

describe("what the ports reach", () => {
  test("searches run in the held directory, also in one file and through an inner link", async () => {
    symlinkSync("src", join(folder, "work/link"))
    const search = ports.search(callScope([]))
    const request = { pattern: "export", contextLines: 0, ignoreCase: false, maxMatches: 10, timeoutMs: 10_000 }
    for (const path of [undefined, "src", "src/a.ts", "link"]) {
      const found = await search.grep({ ...request, ...(path && { path }) })
      expect(found.matches.map(({ path, line }) => [path, line])).toEqual([["src/a.ts", 1]])
    }
    symlinkSync("/etc", join(folder, "work/out"))
    expect((await failureOf(search.grep({ ...request, path: "out" }))).code).toBe("denied")
    expect((await failureOf(search.grep({ ...request, path: "none" }))).code).toBe("not_found")
  })

  test("the content hash is that of the bytes now, and null for a missing file", async () => {
    expect(await ports.contentHash("src/a.ts")).toBe(contentHash(bytes("export const a = 1\n")))
    expect(await ports.contentHash("none")).toBeNull()
    expect((await failureOf(ports.contentHash("src"))).code).toBe("unsupported")
  })

  test("of a huge file, and of one outside the roots, it is the identity, which tells of a change without reading", async () => {
    const huge = join(folder, "work/huge")
    const outside = join(folder, "outside")
    for (const path of [huge, outside]) writeFileSync(path, "x")
    truncateSync(huge, 8e9)
    for (const path of [huge, outside]) {
      const before = await ports.contentHash(path)
      expect(before).toContain(`"size":${path === huge ? 8e9 : 1}`)
      expect(await ports.contentHash(path)).toBe(before)
      await new Promise((resolve) => setTimeout(resolve, 20))
      // The same size: only the time tells.
      writeFileSync(path, "y", { flag: "r+" })
      expect(await ports.contentHash(path)).not.toBe(before)
    }
  })

  test("what is shown to a person does not count as read", async () => {
    const call = callScope([])
    await ports.files(call).readAll("src/a.ts", { maxBytes: 1000 })
    writeFileSync(join(folder, "work/src/a.ts"), "somebody else\n")
    const shown = await ports.filesToShow(call).readAll("src/a.ts", { maxBytes: 1000 })
    expect(textOf(shown.bytes)).toBe("somebody else\n")
    expect((await failureOf(ports.files(call).write("src/a.ts", bytes("mine")))).code).toBe("conflict")
  })

  test("directories of ad hoc files are reachable, others outside are not", async () => {
    mkdirSync(join(folder, "elsewhere"))
    writeFileSync(join(folder, "elsewhere/open.txt"), "open buffer")
    const adHocFiles = [join(folder, "elsewhere/open.txt"), join(folder, "not-there/x")]
    const other = await openSessionPorts({ ...options, adHocFiles })
    const opened = await other.files(callScope([])).open(join(folder, "elsewhere/open.txt"))
    expect(textOf(opened.whole)).toBe("open buffer")
    await other.close()
    expect((await failureOf(files().open(join(folder, "elsewhere/open.txt")))).code).toBe("denied")
  })

  test("a working directory outside the roots or missing, and a missing root, are errors", async () => {
    expect((await failureOf(openSessionPorts({ ...options, directory: folder }))).code).toBe("invalid_args")
    expect((await failureOf(openSessionPorts({ ...options, directory: join(folder, "none") }))).code).toBe("not_found")
    expect((await failureOf(openSessionPorts({ ...options, roots: [join(folder, "none")] }))).code).toBe("not_found")
  })

  test("closing leaves no descriptor and keeps the history within its bound", async () => {
    await ports.close()
    const before = readdirSync("/proc/self/fd").length
    const bounded = await openSessionPorts({ ...options, historyMaxBytes: 25 })
    writeFileSync(join(folder, "work/large"), Buffer.alloc(500_000))
    await bounded.files(callScope([])).open("large")
    for (const text of ["one", "two", "three"])
      await bounded.files(callScope([])).write("src/a.ts", bytes(`${text} and more\n`))
    await bounded.close()
    expect(readdirSync("/proc/self/fd").length).toBe(before)
    const objects = readdirSync(options.historyFolder).filter((name) => name.length === 2)
    const kept = objects.flatMap((shard) => readdirSync(join(options.historyFolder, shard)))
    expect(kept.length).toBe(1)
  })
})
