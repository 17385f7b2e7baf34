import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { checkImports } from "./check-imports.js"
import type { PackageRow } from "./import-table.js"

const row = (part: Partial<PackageRow>): PackageRow => ({
  sentence: "",
  packages: [],
  thirdParty: [],
  node: "none",
  ...part,
})
const table = {
  contract: row({ thirdParty: ["zod"] }),
  tools: row({ packages: ["contract"], thirdParty: ["zod"] }),
  host: row({ packages: ["contract"], node: "all" }),
  runtime: row({ packages: ["contract"], node: ["node:crypto"] }),
}
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

test("a tree that keeps the table has no violation", async () => {
  expect(
    await problems({
      "contract/src/index.ts": 'import * as z from "zod"\nexport const word = z.string()\n',
      "host/src/index.ts":
        'import { open } from "node:fs/promises"\nimport { word } from "@haft/contract"\nopen(String(word))\n',
      "runtime/src/index.ts": 'import { createHash } from "node:crypto"\ncreateHash("sha256")\n',
    }),
  ).toEqual([])
})

test("a package that imports another which its row does not name is a violation", async () => {
  expect(await problems({ "tools/src/a.ts": 'import { x } from "@haft/host"\nx()\n' })).toEqual([
    'packages/tools/src/a.ts imports "@haft/host": "tools" may not import "host"',
  ])
})

test("taking only a type over a forbidden border is a violation too", async () => {
  const forms = [
    'import type { X } from "@haft/host"',
    'export type { X } from "@haft/host"',
    'export type X = import("@haft/host").X',
    'export type * from "@haft/host"',
  ]
  for (const form of forms) expect(await problems({ "tools/src/a.ts": `${form}\n` }), form).toHaveLength(1)
})

test("node modules inside tools are a violation in every form of import", async () => {
  const forms = [
    'import "node:fs"',
    'import fs from "fs"',
    'export * from "node:fs"',
    'const x = await import("node:fs")',
    'import type { Stats } from "node:fs"',
    'const fs = require("node:fs")',
  ]
  for (const form of forms) expect(await problems({ "tools/src/a.ts": `${form}\nexport {}\n` }), form).not.toEqual([])
})

test("a node module that is not on a row's list is a violation", async () => {
  expect(await problems({ "runtime/src/a.ts": 'import "node:fs"\n' })).toHaveLength(1)
})

test("process, fetch and Buffer inside tools are a violation, the same words in strings, comments and own names are not", async () => {
  expect(
    await problems({ "tools/src/a.ts": "export const a = [process.env, fetch, Buffer.alloc(1), globalThis]\n" }),
  ).toHaveLength(4)
  const innocent =
    '// process fetch\nconst word = "process fetch"\nexport function run(fetch: () => void) {\n  fetch()\n  return { process: word }.process\n}\n'
  expect(await problems({ "tools/src/a.ts": innocent })).toEqual([])
  expect(await problems({ "host/src/a.ts": "export const a = process.env\n" })).toEqual([])
})

test("a foreign package that is not on the list is a violation", async () => {
  expect(await problems({ "tools/src/a.ts": 'import chalk from "@scope/chalk/deep"\nchalk()\n' })).toEqual([
    'packages/tools/src/a.ts imports "@scope/chalk/deep": "@scope/chalk" is not on the list of "tools"',
  ])
})

test("only the public entry of a package may be imported, and nothing by a path out of src", async () => {
  expect(
    await problems({
      "tools/src/a.ts": 'import "@haft/contract/src/index.ts"\nimport "../../contract/src/index.js"\n',
    }),
  ).toHaveLength(2)
})

test("a ring of imports is named file by file", async () => {
  expect(
    await problems({
      "tools/src/a.ts": 'import { b } from "./b.js"\nexport const a = () => b\n',
      "tools/src/b.ts": 'import { c } from "./c.js"\nexport const b = () => c\n',
      "tools/src/c.ts": 'import { a } from "./a.js"\nexport const c = () => a\n',
    }),
  ).toEqual([
    "ring of imports: packages/tools/src/a.ts -> packages/tools/src/b.ts -> packages/tools/src/c.ts -> packages/tools/src/a.ts",
  ])
})

test("a ring that only types close loads nothing twice and is allowed", async () => {
  expect(
    await problems({
      "tools/src/a.ts": 'import { b } from "./b.js"\nexport type A = string\nexport const a = b\n',
      "tools/src/b.ts": 'import type { A } from "./a.js"\nexport const b: A = ""\n',
    }),
  ).toEqual([])
})

test("a ring that an import() closes waits for nothing and is allowed", async () => {
  expect(
    await problems({
      "tools/src/a.ts": 'export const a = () => import("./b.js")\n',
      "tools/src/b.ts": 'import { a } from "./a.js"\nexport const b = a\n',
    }),
  ).toEqual([])
})

test("a package without a row is a violation, tests may import anything", async () => {
  expect(await problems({ "other/src/a.ts": "export {}\n", "tools/src/a.test.ts": 'import "node:fs"\n' })).toEqual([
    "packages/other has no row in the import table",
  ])
})

async function problems(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), "haft-imports-"))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, "packages", name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return checkImports(root, table)
}
