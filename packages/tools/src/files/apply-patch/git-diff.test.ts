import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { applyPatch } from "./index.js"

let bench: ToolBench
let repository: string
beforeAll(async () => {
  bench = await openBench()
  repository = mkdtempSync(join(tmpdir(), "haft-patch-"))
  git("init", "--quiet")
})
afterAll(async () => {
  await bench.close()
  rmSync(repository, { recursive: true, force: true })
})

const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }
const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, env, encoding: "utf8" })

type Tree = Readonly<Record<string, string>>

function fill(folder: string, tree: Tree): void {
  for (const name of readdirSync(folder)) if (name !== ".git") rmSync(join(folder, name), { recursive: true })
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

const name = fc.constantFrom(
  "a.txt",
  "b c.txt",
  "d/e.txt",
  "d/f/g.txt",
  "größe.txt",
  'q"uote.txt',
  "tab\tname",
  "-flag",
)
const line = fc.constantFrom(
  "alpha",
  "beta",
  "",
  "}",
  "-- dash",
  "++ plus",
  "@@ -1 +1 @@",
  "größe",
  "*** Begin Patch",
  "\\ x",
)
const content = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, feed, isOpen]) => lines.map((each) => each + feed).join("") + (isOpen ? "end" : ""))
const tree = fc.dictionary(name, content, { maxKeys: 5 })

test("a diff that git makes of two trees turns one into the other", async () => {
  let applied = 0
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.subarray([0, 1, 2]), async (first, second, kept) => {
      // Some files stay under another name, so that there are renames.
      const after: Record<string, string> = { ...second }
      for (const [index, text] of Object.values(first).entries())
        if (kept.includes(index)) after[`renamed-${index}`] = text
      fill(repository, first)
      git("add", "--all")
      const before = git("write-tree").trim()
      fill(repository, after)
      git("add", "--all")
      const patch = git("diff", "--cached", "--find-renames", before)
      if (patch === "") return
      fill(bench.workspace.path, first)
      await bench.run(applyPatch, { patch })
      for (const [path, text] of Object.entries(after))
        expect([path, await bench.workspace.readText(path)]).toEqual([path, text])
      for (const path of Object.keys(first)) {
        if (!(path in after)) expect(await bench.workspace.readText(path)).toBeNull()
      }
      applied += 1
    }),
    { numRuns: 60 },
  )
  expect(applied).toBeGreaterThan(30)
}, 120_000)
