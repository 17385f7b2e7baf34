import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { repoOverview } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const project = {
  "README.md": "# Demo\n",
  "package.json": "{}\n",
  "package-lock.json": "x".repeat(5_000),
  "src/main.ts": "a".repeat(60),
  "src/deep/part.tsx": "a".repeat(20),
  "src/style.css": "a".repeat(10),
}

test("the tree, the languages by size and the number of files", async () => {
  bench = await openBench(project)
  const { data, text } = await bench.run(repoOverview, {})
  expect(data).toEqual({
    tree: "src/ (3)\n  deep/ (1)\n    part.tsx\n  main.ts\n  style.css\nREADME.md\npackage-lock.json\npackage.json",
    languages: [
      { name: "TypeScript", files: 2, bytes: 80, share: 0.8 },
      { name: "CSS", files: 1, bytes: 10, share: 0.1 },
      { name: "Markdown", files: 1, bytes: 7, share: 0.07 },
      { name: "JSON", files: 1, bytes: 3, share: 0.03 },
    ],
    file_count: 6,
    complete: true,
  })
  expect(text).toContain(
    "Languages by bytes (files): TypeScript 80 % (2), CSS 10 % (1), Markdown 7 % (1), JSON 3 % (1)",
  )
  expect(text).toMatch(/\[6 files\]$/)
})

test("a folder is shown as if it were the project, by whatever way it is named", async () => {
  bench = await openBench({ ...project, "empty/.keep": "" })
  symlinkSync("src", join(bench.workspace.path, "link"))
  const tree = "deep/ (1)\n  part.tsx\nmain.ts\nstyle.css"
  for (const path of ["src", "./src/", "link", join(bench.workspace.path, "src")]) {
    expect((await bench.run(repoOverview, { path })).data, path).toMatchObject({ tree, file_count: 3 })
  }
})

test("ignore files are respected, and version control is left out", async () => {
  bench = await openBench({ ...project, ".gitignore": "src/deep\n*.css\n", ".git/config": "[core]\n" })
  const { data } = await bench.run(repoOverview, {})
  expect(data.tree).toBe("src/ (1)\n  main.ts\n.gitignore\nREADME.md\npackage-lock.json\npackage.json")
})

test("files that a rule denies are counted, not named, and weigh nothing", async () => {
  bench = await openBench({ "a.ts": "1", "secret.ts": "22222" })
  const grant = { admits: (_: string, path: string) => !path.endsWith("secret.ts"), mayKeep: () => true }
  const { data, text } = await bench.run(repoOverview, {}, { grant })
  expect(data).toEqual({
    tree: "a.ts",
    languages: [{ name: "TypeScript", files: 1, bytes: 1, share: 1 }],
    file_count: 1,
    complete: true,
    denied: 1,
  })
  expect(text).toContain("1 left out by rules")
})

test("an empty project is an answer", async () => {
  bench = await openBench()
  mkdirSync(join(bench.workspace.path, "empty"))
  const { data, text } = await bench.run(repoOverview, { path: "empty" })
  expect(data).toEqual({ tree: "", languages: [], file_count: 0, complete: true })
  expect(text).toBe("[No files]")
})

test("a file, a missing folder and a path outside are typed failures", async () => {
  bench = await openBench(project)
  expect((await failure(bench.run(repoOverview, { path: "README.md" }))).code).toBe("unsupported")
  expect((await failure(bench.run(repoOverview, { path: "scr" }))).code).toBe("not_found")
  expect((await failure(bench.run(repoOverview, { path: ".." }))).code).toBe("denied")
})

test("an abort ends it", async () => {
  bench = await openBench(project)
  await expect(bench.run(repoOverview, {}, { signal: AbortSignal.abort() })).rejects.toThrow()
})
