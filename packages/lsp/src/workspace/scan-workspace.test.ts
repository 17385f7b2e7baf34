import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { serverTable } from "../find/server-table.js"
import { compareScans, scanWorkspace } from "./scan-workspace.js"

const spec = serverTable.find(({ id }) => id === "typescript")!
let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "haft-scan-")))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content = "x"): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

const scan = (denies: (path: string) => boolean = () => false, maxScanEntries = 1000) =>
  scanWorkspace({ root, spec, denies, limits: { scanMs: 10_000, maxScanEntries } })
const compare = (...scans: Parameters<typeof compareScans>) => {
  const found = compareScans(...scans)
  return found.kind === "restart"
    ? found.reason
    : found.files.map(({ path, type }) => [path.slice(root.length + 1), type])
}

test("files that were made, changed and removed are reported; others are not", async () => {
  for (const path of ["a.ts", "b.ts", "c.ts", "package.json", "notes.md", "node_modules/x/index.ts", ".git/a.ts"])
    await put(path)
  const before = await scan()
  expect([...before.stamps.keys()].map((path) => path.slice(root.length + 1)).sort()).toEqual([
    "a.ts",
    "b.ts",
    "c.ts",
    "package.json",
  ])
  await put("a.ts", "longer")
  await rm(join(root, "b.ts"))
  await put("deep/d.tsx")
  await put("notes.md", "longer")
  await put("node_modules/x/index.ts", "longer")
  expect(compare(before, await scan())).toEqual([
    ["a.ts", 2],
    ["deep/d.tsx", 1],
    ["b.ts", 3],
  ])
})

test("a change of the same length with the time set back is seen", async () => {
  await put("a.ts", "one")
  const before = await scan()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await put("a.ts", "two")
  await utimes(join(root, "a.ts"), 1, 1)
  expect(compare(before, await scan())).toEqual([["a.ts", 2]])
})

test("links are not followed, also not in a circle", async () => {
  await put("a.ts")
  await symlink(root, join(root, "circle"))
  await symlink("/etc/passwd", join(root, "b.ts"))
  expect((await scan()).stamps.size).toBe(1)
})

test("a file that is denied only now, or that was replaced, asks for a new sandbox", async () => {
  await put("secret.json")
  await put("a.ts")
  const isSecret = (path: string) => path.endsWith("secret.json")
  const covered = await scan(isSecret)
  expect(covered.denied.size).toBe(1)
  expect(compare(covered, await scan(isSecret))).toEqual([])
  expect(compare(await scan(), covered)).toMatch(/rules/)
  await put("other.txt")
  await rename(join(root, "other.txt"), join(root, "secret.json"))
  expect(compare(covered, await scan(isSecret))).toMatch(/rules/)
})

test("packages that were installed, and very many changes, ask for a new start", async () => {
  await mkdir(join(root, "node_modules"))
  const before = await scan()
  await mkdir(join(root, "node_modules/left-pad"))
  expect(compare(before, await scan())).toMatch(/packages/)
  const many = { ...before, stamps: new Map(Array.from({ length: 2001 }, (_, index) => [`/${index}.ts`, ""])) }
  expect(compare(before, many)).toMatch(/many/)
})

test("too many entries are not called complete", async () => {
  for (let index = 0; index < 20; index += 1) await put(`${index}.ts`)
  expect((await scan(undefined, 10)).complete).toBe(false)
  expect((await scan(undefined, 20)).complete).toBe(true)
})
