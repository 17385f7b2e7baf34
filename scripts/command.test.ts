import { execFile, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import iconv from "iconv-lite"
import sharp from "sharp"
import { afterAll, beforeAll, expect, test } from "vitest"

// The bundle differs from the sources: chunks, CommonJS, packages left outside. Each test reaches one of these differences.

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(realpathSync(tmpdir()), "haft-command-"))
const workspace = join(folder, "workspace")

beforeAll(() => {
  mkdirSync(workspace)
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, encoding: "utf8" })
  expect(built.stderr).toBe("")
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("--version prints the version of the package", () => {
  expect(haft("--version")).toMatchObject({ status: 0, stdout: "0.1.0\n", stderr: "" })
})

test("a search starts the bundled ripgrep", () => {
  writeFileSync(join(workspace, "found.txt"), "one TODO here\n")
  expect(call("grep", { pattern: "TODO" })).toMatchObject({ match_count: 1 })
  expect(call("glob", { pattern: "*.txt" })).toMatchObject({ paths: ["found.txt"] })
})

test("a file that is not UTF-8 is decoded: the encodings are chunks of their own", () => {
  writeFileSync(
    join(workspace, "gbk.txt"),
    iconv.encode("你好，世界。这是一个用于测试编码的文件。\n".repeat(20), "gbk"),
  )
  expect(call("read", { file_path: "gbk.txt", limit: 1 })).toMatchObject({
    content: "你好，世界。这是一个用于测试编码的文件。\n",
  })
})

test("an image and a PDF are read in the worker", async () => {
  writeFileSync(
    join(workspace, "picture.png"),
    await sharp({ create: { width: 8, height: 4, channels: 3, background: "red" } })
      .png()
      .toBuffer(),
  )
  writeFileSync(join(workspace, "page.pdf"), smallPdf("Words on a page"))
  expect(call("read", { file_path: "picture.png" })).toMatchObject({
    media_type: "image/png",
    image: { width: 8, height: 4 },
  })
  expect(String(call("read", { file_path: "page.pdf" }).content)).toContain("Words on a page")
})

test("the packages behind the web, the launcher and skills are found in the bundle", async () => {
  const { stdout } = haft("skill", "list", "--json")
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: "haft-permissions", source: "bundled" }))
  expect(call("skill", { name: "haft-permissions" }).content).toContain("haft explain")
  expect(call("calculator", { expression: "0.1 + 0.2" })).toMatchObject({ result: 0.3 })
  expect(call("clipboard_write", { text: "x" })).toMatchObject({ ok: true })
  writeFileSync(join(workspace, "findable.txt"), "")
  const { results } = call("index_search", { query: "findable" })
  expect(results).toContainEqual(expect.objectContaining({ name: "findable.txt", type: "file" }))
})

test("a tool is opened alone, unless it looks at the others", () => {
  expect(call("tool_search", { query: "select:notebook_edit" })).toMatchObject({ matches: [], unlisted: 0 })
  const { results } = call("index_search", { query: "notebook" })
  expect(results).toContainEqual(expect.objectContaining({ type: "tool" }))
  expect(haft("call", "ls", "--toolset", "locked").stderr).toContain("there is no tool of that name")
})

test("what a module imports is there when it is used: words of the schemas, texts in other letters", () => {
  const { status, stderr } = haft("call", "read", "--args", '{"file_path": 1}')
  expect(status).toBe(2)
  expect(stderr).toMatch(/must be a string/)
  expect(haft("tools", "--lang", "zh-CN").stdout).toContain("待办列表")
})

test("a page is fetched and converted, and a dialect is spoken", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<title>A page</title><h1>Words</h1><p>of <b>text</b></p>")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetched = await haftBeside("call", "web_fetch", `url=http://${host}/`, "--grant-net", host, "--json")
  const digested = await haftBeside(
    ...["call", "WebFetch", "--dialect", "claw", `url=http://${host}/`, "prompt=title?", "--grant-net", host],
  )
  server.close()
  expect(JSON.parse(fetched)).toMatchObject({ data: { title: "A page", content: expect.stringContaining("**text**") } })
  expect(JSON.parse(digested)).toMatchObject({ code: 200, result: expect.stringContaining("A page") })
})

test("a write is taken back, and the journal verifies, over several processes", () => {
  call("write", { file_path: "kept.txt", content: "one" })
  call("edit", { file_path: "kept.txt", old_string: "one", new_string: "two" })
  expect(haft("undo").status).toBe(0)
  expect(call("read", { file_path: "kept.txt" })).toMatchObject({ content: "one" })
  const sessions = JSON.parse(haft("session", "list", "--json").stdout) as { id: string }[]
  for (const { id } of sessions) expect(haft("session", "verify", id).status).toBe(0)
})

test("every command of the help answers its own --help", () => {
  const names = [...haft("--help").stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!)
  expect(names).toEqual(
    expect.arrayContaining(["call", "explain", "tools", "session", "undo", "rule", "config", "doctor"]),
  )
  for (const name of names) expect(haft(name, "--help"), name).toMatchObject({ status: 0, stderr: "" })
}, 120_000)

test("packages that few calls need are loaded by those calls only", () => {
  writeFileSync(join(workspace, "plain.txt"), "plain\n")
  expect(loadedBy("call", "read", "file_path=plain.txt")).toEqual({ code: 0, boxes: [] })
  // Without an image it is refused, by the package that knows about images.
  const { code, boxes } = loadedBy("call", "box", "command=true", "--yes")
  expect(code).not.toBe(0)
  expect(boxes).toContain("box-index.js")
})

test("a build with the caches of another version of Node still runs", () => {
  // V8 refuses a cache whose flags differ, exactly as it refuses one of another version.
  const other = spawnSync(process.execPath, ["--no-lazy", join(root, "packages/haft/bin/haft.cjs"), "tools"], {
    env: environment(),
    encoding: "utf8",
  })
  expect(other).toMatchObject({ status: 0, stderr: "" })
})

function haft(...rest: readonly string[]) {
  return spawnSync(process.execPath, [join(root, "packages/haft/bin/haft.cjs"), ...rest], {
    cwd: workspace,
    env: environment(),
    encoding: "utf8",
  })
}

/** The chunks with code of boxes that a command loads, and its exit code. */
function loadedBy(...argv: readonly string[]): { readonly code: number; readonly boxes: readonly string[] } {
  const program = `
    const { main, loaded } = require(${JSON.stringify(join(root, "packages/haft/dist/cli/main.cjs"))})
    main(${JSON.stringify(argv)}).then((code) => {
      const boxes = [...loaded.modules.keys()].filter((name) => name.startsWith("box-"))
      require("node:fs").writeSync(3, JSON.stringify({ code, boxes }))
    })`
  const { output } = spawnSync(process.execPath, ["-e", program], {
    cwd: workspace,
    env: environment(),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    encoding: "utf8",
  })
  return JSON.parse(output[3]!)
}

/** While this process goes on, for instance as a server. */
function haftBeside(...rest: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = [join(root, "packages/haft/bin/haft.cjs"), ...rest]
    execFile(process.execPath, program, { cwd: workspace, env: environment() }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    )
  })
}

function call(tool: string, input: unknown): Record<string, unknown> {
  const { stdout, stderr } = haft("call", tool, "--args", JSON.stringify(input), "--json", "--yes")
  const envelope = JSON.parse(stdout)
  expect(envelope, stderr).toMatchObject({ type: "output" })
  return envelope.data
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" }
}

function smallPdf(words: string): string {
  const stream = `BT /F1 12 Tf 20 100 Td (${words}) Tj ET`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]
  let text = "%PDF-1.4\n"
  const places = objects.map((body, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
}
