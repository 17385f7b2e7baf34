import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type ScriptedReply, startProviderServer } from "@haft/testkit"
import { afterEach, beforeEach, expect, test } from "vitest"

// Every example as a program of its own, in a project of its own, against the built packages.

const root = fileURLToPath(new URL("..", import.meta.url))
const examples = join(root, "examples")
let folder: string
let work: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-examples-")))
  work = join(folder, "work")
  mkdirSync(work)
  writeFileSync(join(work, "notes.md"), "TODO: water the plants\n")
  writeFileSync(join(work, ".env"), "TOKEN=secret\n")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(file: string, { env = {}, words = [] }: { env?: object; words?: readonly string[] } = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(examples, file), ...words], {
    cwd: work,
    encoding: "utf8",
    env: {
      PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
      ...{ HOME: join(folder, "user"), HAFT_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
      ...env,
    },
  })
  return stdout
}

test("library", async () => {
  expect(await run("library/main.mjs")).toMatch(/TODO: water the plants[\s\S]*\ndenied true\n$/)
})

test("custom-tool", async () => {
  expect(await run("custom-tool/main.mjs")).toBe("{ words: 4 }\ndenied\n")
})

const replies: readonly ScriptedReply[] = [
  {
    calls: [
      { name: "grep", args: { pattern: "TODO" } },
      { name: "read", args: { file_path: "missing.md" } },
    ],
  },
  { text: "In notes.md." },
]

test.each(readdirSync(join(examples, "loops")))(
  "the loop %s, word for word as docs/library.md has it",
  async (file) => {
    const source = readFileSync(join(examples, "loops", file), "utf8")
    expect(readFileSync(join(root, "docs/library.md"), "utf8")).toContain(`\`\`\`js\n${source}\`\`\``)
    const server = await startProviderServer({ replies })
    try {
      const env = {
        ...{ ANTHROPIC_API_KEY: "key", OPENAI_API_KEY: "key", GEMINI_API_KEY: "key" },
        ANTHROPIC_BASE_URL: server.origin,
        AI_SDK_BASE_URL: server.baseUrl("anthropic"),
        OPENAI_BASE_URL: server.baseUrl("openai-chat"),
        GEMINI_BASE_URL: server.baseUrl("gemini"),
      }
      expect((await run(`loops/${file}`, { env })).trim()).toBe("In notes.md.")
      expect(server.refusals).toEqual([])
      expect(server.requests).toHaveLength(2)
      const last = JSON.stringify(server.requests.at(-1)?.body)
      expect(last).toContain("water the plants")
      expect(last).toContain("missing.md")
    } finally {
      await server.close()
    }
  },
)

test("acp-client", async () => {
  const script = [
    { text: "I write it.", calls: [{ name: "write", args: { file_path: "hello.txt", content: "Hello there\n" } }] },
    { text: "Done." },
  ]
  writeFileSync(join(work, "script.jsonl"), script.map((line) => `${JSON.stringify(line)}\n`).join(""))
  mkdirSync(join(folder, "config/haft"), { recursive: true, mode: 0o700 })
  const config = JSON.stringify({ model: `script:${join(work, "script.jsonl")}` })
  writeFileSync(join(folder, "config/haft/config.jsonc"), config, { mode: 0o600 })
  const lines = (await run("acp-client/main.mjs", { words: ["haft"] })).trim().split("\n")
  expect(lines).toEqual([
    "I write it.",
    "pending: Write file",
    "pending: Write file hello.txt",
    "+ Hello there",
    "in_progress",
    "completed",
    "Done.",
    "end_turn",
  ])
  expect(readFileSync(join(work, "hello.txt"), "utf8")).toBe("Hello there\n")
})

test("mcp-client", async () => {
  expect(await run("mcp-client/main.mjs")).toMatch(/^true\n[\s\S]*TODO: water the plants/)
})

test("every example has its line in the list, and every line its example", () => {
  const list = readFileSync(join(examples, "README.md"), "utf8")
  const named = [...list.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name)
  const folders = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  expect(named.sort()).toEqual(folders.sort())
})
