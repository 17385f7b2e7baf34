import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { dialectNamed } from "@haft/dialects"
import { scriptedPerson } from "@haft/testkit"
import { promptOfSets } from "@haft/tools"
import { expect, test } from "vitest"
import { ensureTestImage, testImage, testImagesFolder } from "../../../box/src/testing/test-image.js"
import { powershellArgv } from "../../../tools/src/shell/shared/powershell/powershell-argv.js"
import { openSearchBench } from "../../../tools/test/search-bench.js"
import type { HaftOptions } from "../../src/library/options.js"
import { shellWorld } from "../shell-world.js"
import { workbench } from "../workbench.js"
import { seed004 } from "./seed-004.js"

interface A3sOutput {
  readonly content: string
  readonly success: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Calls as A3S Code's host makes them, in the default sandbox. */
async function speaking(files: Record<string, string> = {}, more: HaftOptions = {}) {
  const world = await shellWorld(files, { rules: [{ permission: "*", action: "allow" }], ...more })
  const a3s = (await dialectNamed("a3s"))!
  const answer = more.person === undefined ? ({ answer: "once" } as const) : {}
  const call = async (name: string, input: unknown) =>
    (await world.session.callIn(a3s, name, input, answer)).projection.value as A3sOutput
  const good = async (name: string, input: unknown) => {
    const output = await call(name, input)
    expect(output.success, output.content).toBe(true)
    return output
  }
  return { ...world, call, good, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

async function repository(more: HaftOptions = {}) {
  const world = await speaking({ "a.txt": "one\n" }, more)
  const git = (...words: readonly string[]) => execFileSync("git", ["-C", world.root, ...words], { encoding: "utf8" })
  git("init", "--quiet", "--initial-branch=main")
  git("add", ".")
  git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "one")
  return { ...world, git, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

// The definitions of the page: required arguments first.
const parameters: Readonly<Record<string, readonly [required: readonly string[], optional: readonly string[]]>> = {
  read: [["file_path"], ["offset", "limit"]],
  write: [["file_path", "content"], []],
  edit: [["file_path", "old_string", "new_string"], ["replace_all"]],
  patch: [["file_path", "diff"], []],
  bash: [["command"], ["timeout"]],
  grep: [["pattern"], ["path", "glob", "context", "-i"]],
  glob: [["pattern"], ["path"]],
  ls: [[], ["path"]],
  web_fetch: [["url"], ["format", "timeout"]],
  box: [["command"], ["image", "timeout", "files"]],
  git: [
    ["command"],
    [
      ...["name", "path", "ref", "target", "max_count", "message", "include_untracked", "force", "new_branch", "base"],
      // Ours, for the second key `command` of the examples.
      "subcommand",
    ],
  ],
  web_search: [["query"], ["engines", "limit", "timeout", "proxy", "format"]],
}

// What the page says about defaults and bounds, argument by argument.
const said: readonly (readonly [tool: string, argument: string, words: string])[] = [
  ["read", "offset", "Line number to start reading from (0-indexed, default 0)"],
  ["read", "limit", "Maximum number of lines to read (default 2000)"],
  ["edit", "replace_all", "Replace all occurrences (default false)"],
  ["bash", "timeout", "Timeout in milliseconds (default 120000)"],
  ["grep", "path", "Directory or file to search in (default workspace root)"],
  ["grep", "context", "at most 20"],
  ["ls", "path", "Directory path to list (default workspace root)"],
  ["web_fetch", "format", "Output format (default: markdown)"],
  ["web_fetch", "timeout", "Timeout in seconds (default: 30, max: 120)"],
  ["box", "image", "Sandbox image to use (default: ubuntu-22.04)"],
  ["box", "timeout", "Timeout in milliseconds (default 60000)"],
  ["git", "max_count", "Maximum log entries to show (default 10)."],
  ["git", "new_branch", "Create new branch for worktree (default true)."],
  ["git", "base", "Base ref for new branch (default HEAD)."],
  ["web_search", "engines", 'List of engines to use (default: ["ddg","wiki"])'],
  ["web_search", "limit", "Maximum number of results to return (default: 10, max: 50)"],
  ["web_search", "timeout", "Search timeout in seconds (default: 10, max: 60)"],
  ["web_search", "format", "Output format (default: text)"],
]

interface Definition {
  readonly name: string
  readonly description: string
  readonly input_schema: {
    readonly properties?: Readonly<Record<string, { readonly description?: string; readonly enum?: readonly string[] }>>
    readonly required?: readonly string[]
  }
}

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  "004-1": async () => {
    const bench = workbench()
    const listed = async (format: string) =>
      JSON.parse((await bench.run(["tools", "--dialect", "a3s", "--format", format, "--json"])).stdout) as never[]
    const definitions: readonly Definition[] = await listed("anthropic")
    expect(definitions.map(({ name }) => name)).toEqual(Object.keys(parameters))
    for (const { name, input_schema } of definitions) {
      const [required, optional] = parameters[name]!
      const keys = Object.keys(input_schema.properties ?? {})
      expect([name, keys.toSorted()]).toEqual([name, [...required, ...optional].toSorted()])
      expect([name, [...(input_schema.required ?? [])].toSorted()]).toEqual([name, required.toSorted()])
    }
    const schemaOf = (tool: string) => definitions.find(({ name }) => name === tool)!.input_schema.properties!
    for (const [tool, argument, words] of said) expect(schemaOf(tool)[argument]!.description).toContain(words)
    expect(schemaOf("git").command!.enum).toEqual([
      ...["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"],
    ])
    for (const format of ["haft", "mcp", "openai", "openai-responses", "gemini"]) {
      const text = JSON.stringify(await listed(format))
      for (const { name, description } of definitions) {
        expect([format, name, text.includes(`"${name}"`), text.includes(JSON.stringify(description))]).toEqual([
          ...[format, name, true, true],
        ])
      }
    }
    bench.remove()
  },
  "004-2": async () => {
    await using world = await speaking({ "a.txt": "one\ntwo\nthree\n" })
    const { content, metadata } = await world.good("read", { file_path: "a.txt", offset: 1, limit: 1 })
    expect(content).toBe("     2\ttwo\n\n... (more lines available; continue with offset=2)\n")
    expect(metadata.range).toMatchObject({ offset: 1, returned_lines: 1, next_offset: 2, eof: false })
  },
  "004-3": async () => {
    await using world = await speaking()
    await world.good("write", { file_path: "new/output.txt", content: "Hello, world!" })
    expect(readFileSync(world.path("new/output.txt"), "utf8")).toBe("Hello, world!")
  },
  "004-4": async () => {
    await using world = await speaking({ "config.json": '{"debug": false, "x": false}' })
    await world.good("edit", { file_path: "config.json", old_string: '"debug": false', new_string: '"debug": true' })
    expect(readFileSync(world.path("config.json"), "utf8")).toBe('{"debug": true, "x": false}')
    const twice = await world.call("edit", { file_path: "config.json", old_string: "e", new_string: "E" })
    expect(twice).toMatchObject({ success: false, metadata: { error_kind: { type: "InvalidArgument" } } })
  },
  "004-5": async () => {
    await using world = await speaking({ "src/lib.rs": "line1\nold\nline3\n" })
    await world.good("patch", { file_path: "src/lib.rs", diff: "@@ -1,3 +1,3 @@\n line1\n-old\n+new\n line3" })
    expect(readFileSync(world.path("src/lib.rs"), "utf8")).toBe("line1\nnew\nline3\n")
  },
  "004-6": async () => {
    await using world = await speaking()
    expect(await world.good("bash", { command: "echo hi", timeout: 120_000 })).toMatchObject({ content: "hi" })
    const ended = await world.call("bash", { command: "echo x; exit 3" })
    expect(ended).toMatchObject({ success: false, metadata: { exit_code: 3 } })
    expect(ended.content).toContain("[Exit code: 3]")
    const killed = await world.call("bash", { command: "kill -9 $$" })
    expect(killed).toMatchObject({ success: false, metadata: { exit_code: null, signal: "SIGKILL" } })
    expect(killed.content).toContain("[Command ended by SIGKILL]")
  },
  "004-7": async () => {
    await using world = await speaking({
      "src/main.rs": "// a\nfn main() {}\n// b\n",
      "many.txt": "hit\n".repeat(205),
    })
    const { content } = await world.good("grep", { pattern: "FN MAIN", glob: "**/*.rs", context: 3, "-i": true })
    expect(content).toContain("src/main.rs:2:fn main() {}")
    expect(content).toContain("src/main.rs-1-// a")
    const { metadata, content: cut } = await world.good("grep", { pattern: "hit", path: "many.txt" })
    expect(metadata.search).toMatchObject({ matching_lines: 205, returned_lines: 200, truncated: true })
    expect(cut).toContain("output truncated")
    const wide = await world.call("grep", { pattern: "x", context: 21 })
    expect(wide).toMatchObject({ success: false, content: expect.stringContaining('"context" must be at most 20') })
  },
  "004-8": async () => {
    const files = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f/${index}.txt`, ""]))
    await using world = await speaking(files)
    const { content, metadata } = await world.good("glob", { pattern: "**/*.txt" })
    expect(metadata.page).toEqual({ returned_items: 1000, total_items: 1001, truncated: true })
    expect(content).toContain("1000 of 1001 file(s) shown")
  },
  "004-9": async () => {
    await using world = await speaking({ "src/a.txt": "abc", "b.txt": "" })
    const { content } = await world.good("ls", {})
    expect(content).toMatch(/^dir\s+-\s+src\/$/m)
    expect(content).toMatch(/^file\s+0\s+b\.txt$/m)
  },
  "004-10": async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<title>T</title><h1>Head</h1><p>Words</p>")
    })
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      await using world = await speaking({}, { network: { grants: [place] } })
      const page = await world.good("web_fetch", { url: `http://${place}/`, format: "markdown", timeout: 30 })
      expect(page.content).toContain("# Head")
      expect(page.metadata).toMatchObject({ status: 200, title: "T" })
      const late = await world.call("web_fetch", { url: `http://${place}/`, timeout: 121 })
      expect(late.metadata.error_kind).toMatchObject({ type: "InvalidArgument" })
    } finally {
      server.close()
    }
  },
  "004-11": async () => {
    await using world = await speaking()
    const missing = await world.call("box", { command: "true", image: "no-such-image" })
    expect(missing).toMatchObject({ success: false, metadata: { error_kind: { type: "Unsupported" } } })
    expect(missing.content).toContain("no-such-image")
    const usual = await world.call("box", { command: "true" })
    expect(usual.content).toContain("ubuntu-22.04")
    if ((await ensureTestImage()) !== undefined) return
    const server = createServer((_, response) => void response.end("hello box")).listen(0, "127.0.0.1")
    await once(server, "listening")
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const box = { defaultImage: testImage }
    try {
      await using granted = await speaking({}, { box, network: { grants: [place] } })
      symlinkImages(granted.home)
      const command = `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://${place}/ HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`
      const reached = await granted.good("box", { command })
      expect(reached.content).toContain("hello box")
      expect(reached.content).toContain("[Ran in the image debian-12 (debian 12), not in ubuntu-22.04]")
      expect(reached.metadata.isolation).toMatchObject({ network: "proxy", image: "debian-12" })
      await using alone = await speaking({}, { box })
      symlinkImages(alone.home)
      const nowhere = await alone.call("box", { command, timeout: 30_000 })
      expect(nowhere).toMatchObject({ success: false, metadata: { isolation: { network: "none" } } })
    } finally {
      server.close()
    }
  },
  "004-12": async () => {
    await using world = await repository()
    const { good, git } = world
    expect((await good("git", { command: "status" })).metadata).toMatchObject({ branch: "main" })
    expect((await good("git", { command: "log", max_count: 5 })).content).toContain("one")
    await good("git", { command: "branch", name: "feature-x" })
    expect((await good("git", { command: "branch" })).content).toContain("feature-x")
    await good("git", { command: "checkout", ref: "feature-x" })
    expect(git("branch", "--show-current")).toBe("feature-x\n")
    writeFileSync(world.path("a.txt"), "two\n")
    expect((await good("git", { command: "diff" })).content).toContain("+two")
    await good("git", { command: "stash", message: "WIP: work in progress" })
    expect((await good("git", { command: "stash" })).content).toContain("WIP: work in progress")
    await good("git", { command: "remote" })
  },
  "004-13": async () => {
    await using world = await repository()
    // As a reader of JSON keeps them.
    const example = (text: string) => world.good("git", JSON.parse(text))
    expect((await example('{"command": "worktree", "command": "list"}')).content).toContain("[main]")
    const path = `"path": "../repo-feature-x"`
    await example(`{"command": "worktree", "command": "create", "name": "feature-x", ${path}}`)
    expect(readFileSync(join(world.root, "../repo-feature-x/a.txt"), "utf8")).toBe("one\n")
    await example(`{"command": "worktree", "command": "remove", ${path}, "force": true}`)
    expect(existsSync(join(world.root, "../repo-feature-x"))).toBe(false)
    const wrong = await world.call("git", { command: "lst" })
    expect(wrong.content).toContain('of worktree "subcommand" is one of list, create, remove')
    const both = await world.call("git", { command: "create", subcommand: "remove" })
    expect(both).toMatchObject({ success: false, metadata: { error_kind: { type: "InvalidArgument" } } })
  },
  "004-14": async () => {
    await using world = await repository()
    const { good, git } = world
    await good("git", { command: "worktree", subcommand: "create", name: "feature/x" })
    expect(readFileSync(world.path(".worktrees/feature-x/a.txt"), "utf8")).toBe("one\n")
    expect(readFileSync(world.path(".git/info/exclude"), "utf8").split("\n")).toContain("/.worktrees/")
    expect(git("status", "--porcelain")).toBe("")
    expect((await good("glob", { pattern: "**/a.txt" })).metadata.page).toMatchObject({ total_items: 1 })
    expect((await good("grep", { pattern: "one" })).metadata.search).toMatchObject({ matching_files: 1 })
    await good("git", { command: "worktree", subcommand: "remove", path: ".worktrees/feature-x" })
    expect(existsSync(world.path(".worktrees/feature-x/a.txt"))).toBe(false)
  },
  "004-15": async () => {
    const answers = [{ answer: "reject" }, { answer: "once" }, { answer: "once" }, { answer: "once" }] as const
    const person = scriptedPerson({ asks: answers })
    await using world = await repository({ person })
    const { call, good } = world
    const outside = join(world.root, "../side")
    const create = { command: "worktree", subcommand: "create", name: "side", path: "../side" }
    const remove = { command: "worktree", subcommand: "remove", path: "../side" }
    expect(await call("git", create)).toMatchObject({
      success: false,
      metadata: { error_kind: { type: "HookDenied" } },
    })
    expect(person.asked[0]!.ladder.reason).toContain(`outside the workspace: "${outside}"`)
    expect([existsSync(outside), world.git("branch", "--list", "side")]).toEqual([false, ""])
    await good("git", create)
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("one\n")
    expect(world.git("-C", outside, "status", "--porcelain")).toBe("")
    const list = await good("git", { command: "worktree", subcommand: "list" })
    expect(list.content).toMatch(/side [0-9a-f]{9} \[side\] outside the workspace/)
    expect(list.content).not.toContain("gone")
    writeFileSync(join(outside, "new.txt"), "")
    expect((await call("git", remove)).content).toContain("1 uncommitted change")
    await good("git", { ...remove, force: true })
    expect(existsSync(outside)).toBe(false)
    expect(world.git("worktree", "list").trim().split("\n")).toHaveLength(1)
    expect(person.asked).toHaveLength(4)
  },
  "004-16": async () => {
    const bench = workbench()
    const { code, stderr } = await bench.run(["doctor", "--install", "git"])
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("git.sha256")])
    bench.remove()
  },
  "004-17": async () => {
    const { webSearchRow } = await import("../../../dialects/src/a3s/web-rows.js")
    expect(webSearchRow.description).toContain("DuckDuckGo, Wikipedia, Google, Brave, Baidu")
    const bench = await openSearchBench()
    try {
      const keys = { google: "k", baidu: "k" }
      const webSearch = { ...searchDefaults, keys, endpoints: bench.server.endpoints }
      await using world = await speaking({}, { network: { grants: [bench.server.host], webSearch } })
      const engines = ["ddg", "wiki", "google", "brave", "baidu", "sogou", "360"]
      const found = await world.good("web_search", { query: "red pandas", engines, limit: 50, format: "json" })
      const named = (JSON.parse(found.content) as { engines: string[] }[]).flatMap((result) => result.engines)
      expect([...new Set(named)].sort()).toEqual(["baidu", "brave", "ddg", "google", "so360", "sogou", "wiki"])
      expect(found.metadata.failed).toEqual([])
    } finally {
      await bench.close()
    }
  },
  "004-18": async () => {
    const bench = await openSearchBench()
    try {
      const webSearch = {
        ...searchDefaults,
        endpoints: { ddg: bench.server.endpoints.ddg, brave: "http://127.0.0.1:9" },
      }
      await using world = await speaking({}, { network: { grants: [bench.server.host, "127.0.0.1:9"], webSearch } })
      const query = { query: "red pandas", engines: ["ddg", "brave"], limit: 2 }
      const json = await world.good("web_search", { ...query, format: "json" })
      expect((JSON.parse(json.content) as { url: string }[]).map(({ url }) => url)).toEqual([
        ...["https://example.org/red-pandas/1", "https://example.org/red-pandas/2"],
      ])
      expect(json.metadata.failed).toEqual([{ engine: "brave", reason: expect.any(String) }])
      const { content } = await world.good("web_search", query)
      expect(content).toMatch(/\(via ddg\)\nFailed: brave: /)
    } finally {
      await bench.close()
    }
  },
  "004-19": async () => {
    await using world = await speaking({ "a.txt": "one\n" })
    const engines = await world.call("web_search", { query: "x", engines: ["nope"] })
    expect(engines.content).not.toMatch(/web_search_engines|allowed_domains/)
    const unknown = await world.call("reed", { file_path: "a.txt" })
    expect(unknown).toMatchObject({ success: false, metadata: { error_kind: { type: "InvalidArgument" } } })
    expect(unknown.content).toContain('Did you mean "read"?')
  },
  "004-20": async () => {
    const pwsh = "C:\\Program Files\\PowerShell\\7\\pwsh.exe"
    for (const name of ["curl", "wget", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "which", "head"]) {
      const command = `${name} http://127.0.0.1:18790/health`
      const script = Buffer.from(powershellArgv(pwsh, command).at(-1)!, "base64").toString("utf16le")
      expect(script, name).toContain(`function ${name} {`)
      expect(script).toContain(`Create('${command}`)
    }
    const added = promptOfSets("locked", { windows: true }).slice(promptOfSets("locked").length)
    for (const words of ["PowerShell", "curl.exe", "Invoke-RestMethod", "grep", "sed", "awk", "tail -f", "&&"]) {
      expect(added, words).toContain(words)
    }
    expect(added).toContain("Select-Object -First N")
  },
}

const searchDefaults = { endpoints: {}, keys: {}, callsPerSession: 25, timeoutMs: 15_000 }

/** The image of tests is built once for a machine, and not for each workspace. */
function symlinkImages(home: string) {
  mkdirSync(join(home, "box"), { recursive: true })
  symlinkSync(testImagesFolder, join(home, "box", "images"))
}

// The image of the box is built where there is none, which takes minutes.
const timeoutOf = (id: string) => (id === "004-11" ? 900_000 : 120_000)

for (const { id, statement, state, waits, test: place, title } of seed004) {
  if (state === "waits") test.todo(`${id} ${statement} (waits for ${waits})`)
  else if (title === undefined) test(`${id} ${statement}`, proofs[id]!, timeoutOf(id))
  else test(`${id} ${statement} (${place})`, () => expect(readFileSync(place!, "utf8")).toContain(title))
}

test("every statement that does not wait has its proof here", () => {
  expect(Object.keys(proofs)).toEqual(
    seed004.flatMap(({ id, state, title }) => (state === "waits" || title !== undefined ? [] : [id])),
  )
})
