import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { applyPatch } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

type Options = Parameters<ToolBench["run"]>[2]
const run = (patch: string, options?: Options) => bench.run(applyPatch, { patch }, options)
const read = (path: string) => bench.workspace.readText(path)
const at = (path: string) => join(bench.workspace.path, path)
const envelope = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n")

test("a patch names every path that it touches", () => {
  const patch = envelope(
    ...["*** Add File: n", "+x", "*** Delete File: d", "*** Update File: u", "-a", "+b"],
    ...["*** Update File: f", "*** Move to: t", "-a", "+b"],
  )
  expect(
    applyPatch.manifest.effects({ patch }).map((effect) => ("path" in effect ? `${effect.kind} ${effect.path}` : "")),
  ).toEqual([
    ...["fs.write n", "fs.read d", "fs.delete d", "fs.read u", "fs.write u"],
    ...["fs.read f", "fs.delete f", "fs.read t", "fs.write t"],
  ])
})

test("what is no patch is a wrong argument that says what to send, before anybody is asked", () => {
  const problemOf = (patch: string) => applyPatch.manifest.input.safeParse({ patch }).error?.issues[0]?.message
  expect(problemOf("please change a.txt")).toMatch(/^Cannot use the patch: .*; Send a unified diff/)
  expect(problemOf(envelope("*** Update File: a", "?b"))).toMatch(/line 3/)
  expect(problemOf(envelope("*** Delete File: a"))).toBeUndefined()
})

describe("all or nothing", () => {
  const files = { a: "a\n", "x.sh": "x\n", m: "m\n", gone: "g\n", z: "z\n" }
  const patch = envelope(
    ...[
      "*** Add File: new/deep/file",
      "+n",
      "*** Update File: a",
      "-a",
      "+A",
      "*** Update File: m",
      "*** Move to: new/m",
      "-m",
      "+M",
    ],
    ...["*** Delete File: x.sh", "*** Delete File: gone", "*** Delete File: z"],
  )

  test.each(["a", "new/m", "m", "x.sh", "gone", "z", "new/deep/file"])(
    "a failure at %s takes everything back",
    async (failing) => {
      bench = await openBench(files)
      chmodSync(at("x.sh"), 0o755)
      const grant = {
        admits: (kind: string, path: string) => kind === "fs.read" || path !== at(failing),
        mayKeep: () => true,
      }
      const error = await failure(run(patch, { grant }))
      expect(error.code).toBe("denied")
      expect(error.message).toMatch(/everything before it was taken back|nothing was changed/)
      expect(readdirSync(bench.workspace.path).sort()).toEqual(Object.keys(files).sort())
      for (const [path, content] of Object.entries(files)) expect(await read(path)).toBe(content)
      expect(statSync(at("x.sh")).mode & 0o777).toBe(0o755)
    },
  )

  test("a call that is cancelled in the middle takes everything back", async () => {
    bench = await openBench(files)
    const abort = new AbortController()
    const grant = {
      admits: (kind: string, path: string) => {
        if (kind === "fs.delete" && path === at("gone")) abort.abort()
        return true
      },
      mayKeep: () => true,
    }
    expect((await failure(run(patch, { grant, signal: abort.signal }))).code).toBe("cancelled")
    expect(readdirSync(bench.workspace.path).sort()).toEqual(Object.keys(files).sort())
    for (const [path, content] of Object.entries(files)) expect(await read(path)).toBe(content)
  })

  test("a file that somebody changes meanwhile is a conflict, and what could not be taken back is named", async () => {
    bench = await openBench(files)
    const grant = {
      admits: (kind: string, path: string) => {
        if (kind === "fs.delete" && path === at("z")) writeFileSync(at("a"), "somebody else\n")
        return kind === "fs.read" || path !== at("z")
      },
      mayKeep: () => true,
    }
    const error = await failure(run(patch, { grant }))
    expect(error.message).toContain('these could not be taken back: "a"')
    expect(await read("a")).toBe("somebody else\n")
    expect(await read("m")).toBe("m\n")
    expect(existsSync(at("new"))).toBe(false)
  })
})

describe("a file that somebody changes after the patch was checked", () => {
  const unified = {
    update: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-f\n+F\n",
    delete: "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-f\n",
  }
  const moved = envelope("*** Update File: f", "*** Move to: g", "-f", "+F")

  test.each([
    ["updated", "fs.write", "f", unified.update],
    ["updated by its lines", "fs.write", "f", envelope("*** Update File: f", "-f", "+F")],
    ["deleted", "fs.delete", "f", unified.delete],
    ["moved and updated", "fs.write", "g", moved],
  ])("%s: is a conflict and keeps what they wrote", async (_, when, changedPath, patch) => {
    bench = await openBench({ f: "f\n", other: "o\n" })
    let changes = 0
    const grant = {
      // Asked when the file is about to be changed, after everything was read and computed.
      admits: (kind: string, path: string) => {
        if (kind === when && path === at(changedPath) && existsSync(path)) {
          changes += 1
          if (changes === 1) writeFileSync(path, "somebody else\n")
        }
        return true
      },
      mayKeep: () => true,
    }
    const error = await failure(run(patch, { grant }))
    expect(error.code).toBe("conflict")
    expect(changes).toBeGreaterThan(0)
    const left = readdirSync(bench.workspace.path).filter((name) => name !== "other")
    expect(left).toEqual(["f"])
    expect(await read("f")).toBe("somebody else\n")
  })

  test.each([
    ["while the rest of the patch is checked", "fs.read", "other", true],
    ["while the rest of the patch is checked, in a place that is not kept for undo", "fs.read", "other", false],
    ["right before it is written", "fs.write", "new", true],
    ["right before it is written, in a place that is not kept for undo", "fs.write", "new", false],
  ])("a file that they make where one is added, %s, stays", async (_, when, where, isKept) => {
    bench = await openBench({ other: "o\n" })
    const grant = {
      admits: (kind: string, path: string) => {
        if (kind === when && path === at(where)) writeFileSync(at("new"), "somebody else\n")
        return true
      },
      mayKeep: () => isKept,
    }
    const patch = envelope("*** Add File: new", "+mine", "*** Update File: other", "-o", "+O")
    const error = await failure(run(patch, { grant }))
    expect(error.code).toBe("conflict")
    expect(error.message).toMatch(
      /"new": it (?:exists already|was created by somebody else meanwhile); nothing was changed/,
    )
    expect([await read("new"), await read("other")]).toEqual(["somebody else\n", "o\n"])
  })
})

test("two names of one file are recognised", async () => {
  bench = await openBench({ "d/a": "a\n" })
  const patch = envelope("*** Update File: d/a", "-a", "+b", "*** Delete File: d/../d/a")
  expect((await failure(run(patch))).message).toContain("are the same file")
  const absolute = envelope(`*** Update File: ${at("d/a")}`, "-a", "+b")
  await run(absolute)
  expect(await read("d/a")).toBe("b\n")
})
