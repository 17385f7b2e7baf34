import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Workbench, workbench } from "../../../test/workbench.js"

const repository = resolve(import.meta.dirname, "../../../../..")
const modules = join(repository, "node_modules")

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

/** What npm would install beside the package. */
function install(folder: string, ...names: readonly string[]): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true })
  for (const name of names) {
    const from = name === "haft" ? join(repository, "packages/haft") : join(modules, name)
    symlinkSync(from, join(folder, "node_modules", name))
  }
}

async function scaffold(name = "line-count"): Promise<string> {
  expect(await bench.run(["tool", "new", name])).toMatchObject({ code: 0 })
  const folder = join(bench.work, name)
  install(folder, "haft", "zod", "react", "react-dom")
  return folder
}

interface Point {
  readonly point: string
  readonly result: string
  readonly problems: readonly string[]
}

async function check(
  folder: string,
): Promise<{ code: number; points: readonly Point[]; failed: Readonly<Record<string, readonly string[]>> }> {
  const { code, stdout, stderr } = await bench.run(["tool", "check", folder, "--json"])
  const { points } = JSON.parse(stdout) as { points?: readonly Point[] }
  if (points === undefined) throw new Error(`${stdout} ${stderr}`)
  const failed = Object.fromEntries(
    points.filter(({ result }) => result === "failed").map(({ point, problems }) => [point, problems]),
  )
  return { code, points, failed }
}

/** Changes a file of the package. */
function change(folder: string, file: string, old: string | RegExp, fresh: string): void {
  const path = join(folder, file)
  const before = readFileSync(path, "utf8")
  const after = before.replace(old, fresh)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
}

describe("haft tool new", () => {
  test("says how to install this copy of haft, which no registry has", async () => {
    const { stdout } = await bench.run(["tool", "new", "line-count"])
    const [, path, version] = /npm pack --silent (\S+)\n +npm install -D \.\/haft-(\S+)\.tgz zod/.exec(stdout)!
    expect(JSON.parse(readFileSync(join(path!, "package.json"), "utf8"))).toMatchObject({ name: "haft", version })
  })

  test("writes a package under its own name, with an exports map of three", async () => {
    const folder = await scaffold()
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    expect(Object.keys(manifest.exports)).toEqual([".", "./execute", "./faces"])
    const parts = [
      "src/manifest.js",
      "src/execute.js",
      "src/present.js",
      "src/examples.js",
      "src/messages.js",
      "src/faces.js",
      "test/line-count.test.js",
    ]
    for (const part of parts) expect([part, existsSync(join(folder, part))]).toEqual([part, true])
    expect(readFileSync(join(folder, "src/manifest.js"), "utf8")).toContain('id: "line_count"')
    expect(readFileSync(join(folder, "README.md"), "utf8")).not.toContain("word-count")
  })

  test("overwrites nothing, and takes no name that is none", async () => {
    await scaffold()
    expect(await bench.run(["tool", "new", "line_count"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there already"),
    })
    for (const name of ["../x", "A", "a b", "", "-x", "a--b"])
      expect((await bench.run(["tool", "new", name])).code).toBe(2)
  })
})

describe("haft tool check", () => {
  test("passes what haft tool new writes, point by point", async () => {
    const { code, points, failed } = await check(await scaffold())
    expect(failed).toEqual({})
    expect(code).toBe(0)
    expect(points.filter(({ result }) => result === "ok")).toHaveLength(18)
  }, 60_000)

  test.each([
    [
      "no word on when to use it",
      "src/manifest.js",
      /Use when[^"]*/,
      "",
      "publishes id, description, parameters and what it requires",
    ],
    [
      "fetch",
      "src/execute.js",
      "const text",
      "await fetch('http://127.0.0.1:1/').catch(() => 1)\n  const text",
      "reaches the world only through its context",
    ],
    [
      "a module of Node",
      "src/execute.js",
      "/** The",
      'import "node:fs"\n/** The',
      "execute imports neither React nor Node",
    ],
    [
      "a module of Node behind another",
      "src/execute.js",
      "/** The",
      'import "./more.js"\n/** The',
      "execute imports neither React nor Node",
    ],
    [
      "a result that is no result",
      "src/execute.js",
      "words: text",
      "lines: text",
      "every result is the uniform envelope",
    ],
    [
      "a throw",
      "src/execute.js",
      "const text",
      "throw new Error('oops')\n  const text",
      "every result is the uniform envelope",
    ],
    [
      "another number than the example says",
      "src/examples.js",
      "words: 2",
      "words: 3",
      "every example ends as it says, and present has words for it, also for an error",
    ],
    [
      "no words for the model",
      "src/present.js",
      /return `.*`/,
      'return [{ type: "text", text: " " }]',
      "every example ends as it says, and present has words for it, also for an error",
    ],
    [
      "too few examples",
      "src/examples.js",
      /\{ name: "an empty.*\n/,
      "\n",
      "3 to 5 examples, whose inputs and outputs fit the schemas",
    ],
    [
      "no Chinese",
      "src/messages.js",
      "字数统计",
      "",
      "manifest, execute, Inspector and titles in both languages; exports . ./execute ./faces",
    ],
    [
      "no faces in the exports map",
      "package.json",
      '"./faces"',
      '"./face"',
      "manifest, execute, Inspector and titles in both languages; exports . ./execute ./faces",
    ],
    [
      "an Inspector that needs all arguments",
      "src/faces.js",
      'numberAt(props.pluginState, "words")',
      "props.args.path.length",
      "Inspector is drawn while arguments stream, while it runs, and without state",
    ],
    [
      "a Render without data",
      "src/faces.js",
      "{ Inspector }",
      '{ Inspector, Render: () => createElement("b", null, "x") }',
      "Render is nothing without data",
    ],
    [
      "an Intervention that throws",
      "src/faces.js",
      "{ Inspector }",
      "{ Inspector, Intervention: () => { throw new Error('no') } }",
      "Intervention is drawn where a rule can ask",
    ],
  ])(
    "names the point that %s breaks",
    async (_name, file, old, fresh, point) => {
      const folder = await scaffold()
      writeFileSync(join(folder, "src/more.js"), 'import { readFileSync } from "node:fs"\nexport { readFileSync }\n')
      change(folder, file, old, fresh)
      const { code, failed } = await check(folder)
      expect(Object.keys(failed)).toContain(point)
      expect(code).toBe(7)
    },
    60_000,
  )

  test("passes the larger sample: six tools with batch variants, an intervention and all six faces", async () => {
    const copy = (name: string) => {
      const folder = join(bench.work, name)
      cpSync(join(repository, "examples/tasks-tool"), folder, { recursive: true })
      install(folder, "haft", "zod", "react", "react-dom")
      return folder
    }
    const { code, failed } = await check(copy("tasks-tool"))
    expect(failed).toEqual({})
    expect(code).toBe(0)
    // Its prompt is what tells six similar tools apart.
    const other = copy("other")
    change(other, "src/index.js", "task_delete removes", "it removes")
    expect(Object.values((await check(other)).failed)).toEqual([["the prompt does not name task_delete"]])
  }, 90_000)

  test("without React the points about faces are skipped, and say what to install", async () => {
    const folder = await scaffold()
    rmSync(join(folder, "node_modules", "react"))
    rmSync(join(folder, "node_modules", "react-dom"))
    const { code, points } = await check(folder)
    expect(code).toBe(0)
    expect(points.filter(({ result }) => result === "skipped").map(({ problems }) => problems[0])[0]).toContain(
      "npm install --save-dev react",
    )
  }, 60_000)

  test.each([
    ["a folder that is none", (folder: string) => rmSync(folder, { recursive: true }), "no package.json"],
    ["a package.json that is none", (folder: string) => writeFileSync(join(folder, "package.json"), "{"), "no JSON"],
    [
      "a package without tools",
      (folder: string) => writeFileSync(join(folder, "src/index.js"), "export const a = 1"),
      "exports no tool",
    ],
    [
      "code that cannot be loaded",
      (folder: string) => writeFileSync(join(folder, "src/index.js"), "export const a = ("),
      "cannot be loaded",
    ],
  ])("%s is an error with the next step", async (_name, spoil, words) => {
    const folder = await scaffold()
    spoil(folder)
    expect(await bench.run(["tool", "check", folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    })
  })
})
