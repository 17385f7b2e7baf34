import { execFile, execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { copyRepository, type RepositoryCopy } from "./repository-copy.js"

// The package as a stranger gets it: packed, installed into an empty project, used there.

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(realpathSync(tmpdir()), "haft-installed-"))
const project = join(folder, "project")
const tarball = join(folder, "haft-0.1.0.tgz")
const installed = join(project, "node_modules/haft")
const env = { ...process.env, HAFT_HOME: join(folder, "home"), XDG_CONFIG_HOME: join(folder, "config") }

let copy: RepositoryCopy
// Why packages of others cannot be had here; then the tests that need them are skipped, and say so.
let missing: string | undefined
let noCompiler: string | undefined
const react = ["react@19.3.1", "react-dom@19.3.1", "@types/react@19.3.0"]

function install(...packages: readonly string[]): string | undefined {
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages]
  const { status, stderr } = spawnSync("npm", words, { cwd: project, encoding: "utf8", timeout: 180_000 })
  if (status === 0) return undefined
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|E404/.test(stderr) || status === null) return "no registry"
  throw new Error(stderr)
}

beforeAll(async () => {
  // Packing changes files for a moment, which other tests must not see.
  copy = await copyRepository(root)
  execFileSync("npm", ["pack", "-w", "haft", "--pack-destination", folder], { cwd: copy.path, stdio: "pipe" })
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n')
  missing = install(tarball, "zod@4.6.7") ?? missing
  noCompiler = missing ?? install("typescript@5.9.3", "@types/node@20.19.0", ...react)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
}, 600_000)

afterAll(async () => {
  await copy?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const files = {
  "words.txt": "three small words\n",
  "tool.mjs": `
import { createHaft, tool } from "haft"
import * as z from "zod"

const wordCount = tool({
  id: "word_count", description: "Counts the words of a text file.",
  input: z.object({ path: z.string() }), reads: ({ path }) => [path],
  execute: async ({ path }, { files }) => ({ words: (await files.readText(path)).trim().split(/\\s+/).length }),
})
const haft = await createHaft({ roots: ["."], tools: [wordCount] })
const session = await haft.openSession()
console.log(JSON.stringify((await session.call("word_count", { path: "words.txt" })).data))
await haft.close()
`,
  "typed.ts": `
import { type AskRequest, createHaft, type HaftOptions, type Ladder, type Mode, type SandboxOptions, tool } from "haft"
import { scriptedPerson } from "haft/testing"
import * as z from "zod"

export const mode: Mode | undefined = ({ mode: "ask" } satisfies HaftOptions).mode
export const sandbox = { } satisfies SandboxOptions as HaftOptions["sandbox"]
export const ladderOf = (request: AskRequest): Ladder => request.ladder

const wordCount = tool({
  id: "word_count", description: "Counts the words of a text file.",
  input: z.object({ path: z.string() }), reads: ({ path }) => [path],
  execute: async ({ path }, { files }) => ({ words: (await files.readText(path)).trim().split(/\\s+/).length }),
})
const haft = await createHaft({ roots: ["."], tools: [wordCount], person: scriptedPerson({ asks: [] }) })
const session = await haft.openSession()
const counted = await session.call("word_count", { path: "words.txt" })
export const words: number = counted.type === "output" ? counted.data.words : 0
// @ts-expect-error no such argument
await session.call("word_count", { file: "words.txt" })
const found = await session.call("grep", { pattern: "x" })
export const line: number | undefined = found.type === "output" ? found.data.matches[0]?.line : undefined
`,
  "faces.ts": `
import { tool } from "haft"
import { Chip, InspectorLine, type InspectorProps, numberAt, type ToolFaces } from "haft/faces"
import { createElement } from "react"
import * as z from "zod"

const Inspector = (props: InspectorProps) =>
  createElement(InspectorLine, { props }, createElement(Chip, null, String(numberAt(props.pluginState, "words"))))
const faces: ToolFaces = { Inspector }
// @ts-expect-error a face is a component
export const wrong: ToolFaces = { Inspector: 5 }
export const wordCount = tool({
  id: "word_count", description: "Counts the words of a text file.",
  input: z.object({ path: z.string() }), execute: () => ({ words: 3 }), faces: async () => ({ faces }),
})
`,
  "faces.mjs": `
import { tool } from "haft"
import { CallCard, Chip, InspectorLine, loadFaceTool, numberAt } from "haft/faces"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import * as z from "zod"

const Inspector = (props) =>
  createElement(InspectorLine, { props }, createElement(Chip, null, numberAt(props.pluginState, "words") + " words"))
const wordCount = tool({
  id: "word_count", description: "Counts the words of a text file.",
  input: z.object({ path: z.string() }), execute: () => ({ words: 3 }), faces: async () => ({ faces: { Inspector } }),
})
const call = { id: "call_1", tool: "word_count", phase: "ok", arguments: {}, data: { words: 3 } }
console.log(renderToStaticMarkup(createElement(CallCard, { call, tool: await loadFaceTool(wordCount) })))
`,
}

test("it holds everything and no more: under 60 MB with its packages, no tests, no install scripts", ({ skip }) => {
  if (missing !== undefined) return skip(missing)
  const size = execFileSync("du", [
    "-sm",
    "--exclude=typescript",
    "--exclude=@types",
    "--exclude=react*",
    "--exclude=scheduler",
    "--exclude=csstype",
    join(project, "node_modules"),
  ])
  expect(Number.parseInt(String(size), 10)).toBeLessThan(60)
  const names = readdirSync(installed, { recursive: true, encoding: "utf8" })
  // The demo project and the template of a tool have tests of their own.
  const ours = names.filter((name) => !/^(?:demo|templates)\//.test(name))
  expect(ours.filter((name) => /\.test\.|node_modules/.test(name))).toEqual([])
  for (const name of ["README.md", "LICENSE", "THIRD-PARTY-NOTICES"])
    expect(existsSync(join(installed, name))).toBe(true)
  expect(readFileSync(join(installed, "THIRD-PARTY-NOTICES"), "utf8")).toMatch(/^undici [\d.]+ \(MIT\)$/m)
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
  expect(manifest.scripts).toBeUndefined()
  expect(Object.keys(manifest.dependencies).sort()).toEqual(["@lydell/node-pty", "@vscode/ripgrep", "libsql"])
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  expect(Object.values(lock.packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
})

test("publint and attw find nothing wrong in it", async ({ skip }) => {
  if (missing !== undefined) return skip(missing)
  const bytes = readFileSync(tarball)
  const { messages } = await publint({ pkgDir: installed, level: "warning" })
  expect(messages.map((message) => formatMessage(message, {}))).toEqual([])
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)))
  const problems = "problems" in analysis ? analysis.problems : [{ kind: "no types" }]
  // It is an ES module: CommonJS requires it (Node 20.19), and the oldest resolution has no subpaths.
  expect(problems.filter(({ kind }) => !["CJSResolvesToESM", "NoResolution"].includes(kind))).toEqual([])
})

test("another tool brings faces, made of the parts of haft/faces", ({ skip }) => {
  if (noCompiler !== undefined) return skip(noCompiler)
  const run = spawnSync(process.execPath, ["faces.mjs"], { cwd: project, env, encoding: "utf8" })
  expect(run.stderr).toBe("")
  expect(run.stdout).toContain("Word count")
  expect(run.stdout).toContain("3 words")
  expect(readFileSync(join(installed, "dist/faces/faces.css"), "utf8")).toContain("light-dark(")
})

test("a new tool and the larger sample pass every point with it, faces included", ({ skip }) => {
  if (noCompiler !== undefined) return skip(noCompiler)
  const haft = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(installed, "bin/haft.cjs"), ...words], { cwd: project, env, encoding: "utf8" })
  expect(haft("tool", "new", "line-count")).toMatchObject({ status: 0 })
  cpSync(join(root, "examples/tasks-tool"), join(project, "tasks-tool"), { recursive: true })
  for (const name of ["line-count", "tasks-tool"]) {
    const { status, stdout } = haft("tool", "check", name, "--json")
    const { points } = JSON.parse(stdout) as { points: readonly { result: string; point: string }[] }
    expect([name, points.filter(({ result }) => result !== "ok")]).toEqual([name, []])
    expect(status).toBe(0)
    // Named, because Node 24 has another one by default.
    const tests = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
      cwd: join(project, name),
      env,
      encoding: "utf8",
    })
    expect([tests.status, tests.stdout]).toEqual([0, expect.stringContaining("# fail 0")])
  }
}, 120_000)

describe.each([
  ["5.9", () => join(project, "node_modules/typescript/bin/tsc")],
  ["7", () => join(root, "node_modules/typescript/bin/tsc")],
])("TypeScript %s", (_version, compiler) => {
  test.for([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const)("module %s, resolution %s", ([module, resolution], { skip }) => {
    if (noCompiler !== undefined) return skip(noCompiler)
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", module, "--moduleResolution", resolution]
    const run = spawnSync(process.execPath, [compiler(), ...options, "--types", "node", "typed.ts", "faces.ts"], {
      cwd: project,
      encoding: "utf8",
    })
    expect(run.stdout + run.stderr).toBe("")
  })
})

/** The Node to run with: this one, or another one that npm brings. */
async function nodeOf(version: string): Promise<string | undefined> {
  if (version === "this") return process.execPath
  const found = await promisify(execFile)("npx", ["--yes", "-p", `node@${version}`, "which", "node"], {
    cwd: folder,
  }).catch(() => undefined)
  return found?.stdout.trim().split("\n").at(-1)
}

describe.each(["this", "24", "26"])("Node %s", (version) => {
  let node: string | undefined
  beforeAll(async () => {
    node = missing === undefined ? await nodeOf(version) : undefined
  }, 300_000)

  const run = (...words: readonly string[]) => spawnSync(node!, [...words], { cwd: project, env, encoding: "utf8" })
  const haft = (...words: readonly string[]) => run(join(installed, "bin/haft.cjs"), ...words)

  test("the ten-line tool runs, by import and by require", ({ skip }) => {
    if (node === undefined) return skip(`no Node ${version} can be had here`)
    expect(run("tool.mjs")).toMatchObject({ stdout: '{"words":3}\n', stderr: "", status: 0 })
    const required = run(
      "-e",
      'const { createHaft, tool } = require("haft"); console.log(typeof createHaft, typeof tool)',
    )
    expect(required.stdout).toBe("function function\n")
  })

  test("the command runs, and so does each worker", ({ skip }) => {
    if (node === undefined) return skip(`no Node ${version} can be had here`)
    expect(haft("call", "word_count")).toMatchObject({ status: 2 })
    expect(haft("call", "grep", "pattern=small", "path=words.txt").stdout).toContain("three small words")
    expect(haft("call", "calculator", "expression=0.1 + 0.2").stdout.trim()).toBe("0.3")
    writeFileSync(join(project, "page.pdf"), pdf("Hello from a page"))
    expect(haft("call", "read", "file_path=page.pdf").stdout).toContain("Hello from a page")
    const long = `echo ${"word ".repeat(4000)}`
    expect(haft("call", "bash", `command=${long}`, "--yes").stdout).toContain("word word")
  })

  test("its V8 caches are made at the first run, below the state folder", ({ skip }) => {
    if (node === undefined) return skip(`no Node ${version} can be had here`)
    haft("call", "todo", "--args", '{"todos":[]}')
    const release = run("-p", "process.version").stdout.trim()
    const caches = readdirSync(join(folder, "home/cache")).filter((name) => name.includes(release))
    expect(caches).toHaveLength(1)
    expect(readdirSync(join(folder, "home/cache", caches[0]!))).toContain("start.js.cache")
  })
})

/** A PDF of one page with one line. */
function pdf(words: string): string {
  const content = `BT /F1 24 Tf 72 720 Td (${words}) Tj ET`
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>endobj
4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
5 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF
`
}
