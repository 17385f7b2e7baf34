import { spawnSync } from "node:child_process"
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { copyRepository, type RepositoryCopy } from "./repository-copy.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const id = "checklist"
let copy: RepositoryCopy
let catalogFile: string

beforeAll(async () => {
  copy = await copyRepository(root)
  catalogFile = join(copy.path, "packages/tools/src/catalog.ts")
})

afterAll(() => copy?.remove())

test("a tool of one file is added with its test, and named in the catalogue", async () => {
  const folder = join(copy.path, "packages/tools/src/files")
  await writeFile(join(folder, "word-count.ts"), oneFile)
  await writeFile(join(folder, "word-count.test.ts"), oneFileTest)
  await addToCatalog("wordCount", "./files/word-count.js")

  expect(run("scripts/run-ts.mjs", "scripts/generate.ts")).toMatchObject({ status: 0, stderr: "" })
  expect(run("node_modules/vitest/vitest.mjs", "run", "packages/tools/src/files/word-count.test.ts").status).toBe(0)
  expect(run("scripts/build.mjs")).toMatchObject({ status: 0, stderr: "" })
  await writeFile(join(copy.path, "three.txt"), "three small words\n")
  const called = run("packages/haft/bin/haft.cjs", "call", "word_count", "path=three.txt", "--json")
  expect(JSON.parse(called.stdout)).toMatchObject({ type: "output", data: { words: 3 } })
  expect(await readFile(join(copy.path, "docs/tools/word_count.md"), "utf8")).toContain("# word_count: Word count")
}, 180_000)

const oneFile = `import { tool } from "@haft/contract"
import * as z from "zod"

/** Counts words. */
export const wordCount = tool({
  id: "word_count",
  description: "Counts the words of a text file. Use when a length in words is wanted.",
  input: z.object({ path: z.string() }),
  reads: ({ path }) => [path],
  execute: async ({ path }, { files }) => ({ words: (await files.readText(path)).trim().split(/\\s+/).length }),
})
`

const oneFileTest = `import { expect, test } from "vitest"
import { openBench } from "../../test/tool-bench.js"
import { wordCount } from "./word-count.js"

test("it counts words", async () => {
  const bench = await openBench({ "a.txt": "one two" })
  expect((await bench.run(wordCount, { path: "a.txt" })).data).toEqual({ words: 2 })
  await bench.close()
})
`

test("a tool is added by copying the smallest folder, renaming it, and naming it in the catalogue", async () => {
  const smallest = await smallestTool(join(copy.path, "packages/tools/src"))
  const former = smallest.split("/").at(-1)!
  const folder = join(dirname(smallest), id)
  await cp(smallest, folder, { recursive: true })
  await rename(folder, former)
  await addToCatalog(id, `./${relative(dirname(catalogFile), folder)}/index.js`)

  expect(run("scripts/run-ts.mjs", "scripts/generate.ts")).toMatchObject({ status: 0, stderr: "" })
  expect(run("scripts/build.mjs")).toMatchObject({ status: 0, stderr: "" })
  expect(run("packages/haft/bin/haft.cjs", "tools").stdout).toContain(id)
  expect(JSON.parse(run("packages/haft/bin/haft.cjs", "tools", "--json").stdout)).toContainEqual(
    expect.objectContaining({ id }),
  )
  expect(await readFile(join(copy.path, "docs/tools", `${id}.md`), "utf8")).toContain(`# ${id}:`)
  expect(await readFile(join(copy.path, "docs/tools/README.md"), "utf8")).toContain(`[${id}](${id}.md)`)
  expect(run("scripts/run-ts.mjs", "scripts/generate.ts", "--check")).toMatchObject({ status: 0, stderr: "" })
}, 180_000)

test("a tool that is twice in the catalogue is refused at start, by its name", async () => {
  const text = await readFile(catalogFile, "utf8")
  await writeFile(catalogFile, text.replace(/\n\]/, `\n  ${id},\n]`))
  const start = join(copy.path, "scripts/start-library.ts")
  await writeFile(
    start,
    'import { createHaft } from "haft"\nawait createHaft({ roots: [process.cwd()], toolset: "all", storage: { journal: false } })\n',
  )

  const started = run("scripts/run-ts.mjs", start)
  expect(started.status).not.toBe(0)
  expect(started.stderr).toContain(`"${id}"`)
  const built = run("scripts/build.mjs")
  expect(built.status).toBe(1)
  expect(built.stderr).toContain(`"${id}"`)
}, 180_000)

function run(...rest: readonly string[]) {
  return spawnSync(process.execPath, [...rest], { cwd: copy.path, encoding: "utf8" })
}

/** The folder of the tool whose files are the fewest bytes. */
async function smallestTool(source: string): Promise<string> {
  const folders = (await readdir(source, { recursive: true })).filter((name) =>
    /^[^/]+\/[^/]+\/execute\.ts$/.test(name),
  )
  const sizes = await Promise.all(
    folders.map(async (name) => {
      const folder = dirname(join(source, name))
      const files = await readdir(folder, { recursive: true })
      const facts = await Promise.all(files.map((file) => stat(join(folder, file))))
      return { folder, bytes: facts.reduce((sum, { size }) => sum + size, 0) }
    }),
  )
  return sizes.sort((a, b) => a.bytes - b.bytes)[0]!.folder
}

/** A tool goes by its folder's name in three spellings: as a folder, as an id and as a constant. */
async function rename(folder: string, former: string): Promise<void> {
  const constant = former.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const spellings = new RegExp(`\\b(${former}|${former.replaceAll("-", "_")}|${constant})\\b`, "g")
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    await writeFile(file, (await readFile(file, "utf8")).replace(spellings, id))
  }
}

async function addToCatalog(constant: string, path: string): Promise<void> {
  const text = await readFile(catalogFile, "utf8")
  const named = text.replace(/\n\]/, `\n  ${constant},\n]`)
  await writeFile(catalogFile, `import { ${constant} } from "${path}"\n${named}`)
}
