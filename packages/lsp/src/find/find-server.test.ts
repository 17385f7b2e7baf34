import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { findProgram } from "@haft/host"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findServer, foldersOf, rootOf } from "./find-server.js"
import { serverTable, specOf } from "./server-table.js"

let root: string
let machine: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "haft-find-")))
  machine = await realpath(await mkdtemp(join(tmpdir(), "haft-find-machine-")))
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
  await rm(machine, { recursive: true, force: true })
})

async function put(path: string, content = "", mode = 0o755): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  await chmod(path, mode)
  return path
}

const description = (version: string, name = "typescript") => JSON.stringify({ name, version })
const find = (file: string, path = join(machine, "bin")) =>
  findServer(specOf(file, serverTable)!, {
    folders: foldersOf(join(root, file), root),
    find: async (program) => findProgram(program, { path, roots: [root] }),
  })

test("the nearest TypeScript of the project is taken, its native program first", async () => {
  await put(join(root, "node_modules/typescript/package.json"), description("7.1.0"))
  const script = await put(join(root, "node_modules/typescript/bin/tsc"))
  expect(await find("packages/a/x.ts")).toEqual([process.execPath, script, "--lsp", "--stdio"])
  const platform = `typescript-${process.platform}-${process.arch}`
  const native = await put(join(root, "node_modules/@typescript", platform, "lib/tsc"))
  expect(await find("packages/a/x.ts")).toEqual([native, "--lsp", "--stdio"])
  await put(join(root, "packages/a/node_modules/typescript/package.json"), description("8.0.0-beta"))
  const nearer = await put(join(root, "packages/a/node_modules/typescript/bin/tsc"))
  expect(await find("packages/a/x.ts")).toEqual([process.execPath, nearer, "--lsp", "--stdio"])
})

test.each(["5.9.3", "6.0.0", "", "seven"])("TypeScript %j is no language server", async (version) => {
  await put(join(root, "node_modules/typescript/package.json"), description(version))
  await put(join(root, "node_modules/typescript/bin/tsc"))
  expect(await find("x.ts")).toBeUndefined()
})

test("a TypeScript on the search path must be new enough as well", async () => {
  const home = join(machine, "lib/node_modules/typescript")
  await put(join(home, "bin/tsc"))
  await mkdir(join(machine, "bin"))
  await symlink("../lib/node_modules/typescript/bin/tsc", join(machine, "bin/tsc"))
  await put(join(home, "package.json"), description("5.9.3"))
  expect(await find("x.ts")).toBeUndefined()
  await put(join(home, "package.json"), description("7.0.2"))
  expect(await find("x.ts")).toEqual([join(machine, "bin/tsc"), "--lsp", "--stdio"])
})

test("a description that is broken, of another package or a pipe is passed over at once", async () => {
  const file = join(root, "node_modules/typescript/package.json")
  await put(join(root, "node_modules/typescript/bin/tsc"))
  await put(file, "{")
  expect(await find("x.ts")).toBeUndefined()
  await put(file, description("7.0.0", "evil"))
  expect(await find("x.ts")).toBeUndefined()
  await rm(file)
  execFileSync("mkfifo", [file])
  expect(await find("x.ts")).toBeUndefined()
})

test("other servers come from the search path, but not from inside the project", async () => {
  const gopls = await put(join(machine, "bin/gopls"))
  expect(await find("x.go")).toEqual([gopls, "serve"])
  await put(join(root, "bin/clangd"))
  expect(await find("x.cpp", join(root, "bin"))).toBeUndefined()
  await put(join(machine, "bin/rust-analyzer"), "", 0o644)
  expect(await find("x.rs")).toBeUndefined()
  const venv = await put(join(root, ".venv/bin/pyright-langserver"))
  expect(await find("deep/down/x.py")).toEqual([venv, "--stdio"])
})

test("an ending belongs to one server only, and has a dot", () => {
  const endings = serverTable.flatMap(({ languageIds }) => Object.keys(languageIds))
  expect(new Set(endings).size).toBe(endings.length)
  expect(endings.filter((ending) => !/^\.[a-z]+$/.test(ending))).toEqual([])
  expect(specOf("A.TSX", serverTable)?.id).toBe("typescript")
  expect(specOf("constructor", serverTable)).toBeUndefined()
  expect(specOf("x.constructor", serverTable)).toBeUndefined()
})

test("roots are compared by parts", () => {
  expect(rootOf("/a/bc/x", ["/a/b", "/a", "/a/bc"])).toBe("/a/bc")
  expect(rootOf("/elsewhere", ["/a"])).toBeUndefined()
  expect(foldersOf("/a/b/c/x.ts", "/a")).toEqual(["/a/b/c", "/a/b", "/a"])
  expect(foldersOf("/x.ts", "/")).toEqual(["/"])
  expect(foldersOf("/b/x.ts", "/a")).toEqual([])
})
