import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { dialectNamed, policyNames } from "@haft/dialects"
import { staticExecutor } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { startSearchServer } from "../../../tools/test/search-server.js"
import { options } from "../../src/command/option.js"
import type { HaftOptions } from "../../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "../library-world.js"
import { type Workbench, workbench } from "../workbench.js"
import { seed003 } from "./seed-003.js"

let world: LibraryWorld | undefined
let bench: Workbench | undefined
afterEach(async () => {
  await world?.remove()
  bench?.remove()
  world = bench = undefined
})

/** Calls as claw's host makes them, in the default sandbox. */
async function speaking(files: Record<string, string> = {}, more: HaftOptions = {}) {
  world = await libraryWorld(files)
  const haft = await world.haft({ toolset: "all", rules: [{ permission: "*", action: "allow" }], ...more })
  const session = await haft.openSession()
  const claw = (await dialectNamed("claw"))!
  const call = async (name: string, input: unknown) => {
    const { projection } = await session.callIn(claw, name, input, { answer: "once" })
    return { ...projection, text: projection.value as string }
  }
  const good = async (name: string, input: unknown) => {
    const { success, text } = await call(name, input)
    expect(success, text).toBe(true)
    return JSON.parse(text) as Record<string, unknown>
  }
  return { call, good, session }
}

const command = (...words: readonly string[]) => {
  bench ??= workbench()
  return bench.run(words)
}

// As the page has them, with the permission of each.
const tiers: readonly (readonly [string, string])[] = [
  ...[
    ["bash", "full-access"] as const,
    ["read_file", "read-only"] as const,
    ["write_file", "workspace-write"] as const,
  ],
  ...[["edit_file", "workspace-write"] as const, ["glob_search", "read-only"] as const],
  ...[["grep_search", "read-only"] as const, ["WebFetch", "read-only"] as const, ["WebSearch", "read-only"] as const],
  ...[["TodoWrite", "workspace-write"] as const, ["Skill", "read-only"] as const, ["Agent", "full-access"] as const],
  ...[["ToolSearch", "read-only"] as const, ["NotebookEdit", "workspace-write"] as const],
  ...[["Sleep", "read-only"] as const, ["SendUserMessage", "read-only"] as const],
  ...[["Config", "workspace-write"] as const, ["StructuredOutput", "read-only"] as const],
  ...[["REPL", "full-access"] as const, ["PowerShell", "full-access"] as const],
]

// The arguments as claw-code's own definitions have them, those that are required first.
const parameters: Readonly<Record<string, readonly [required: readonly string[], optional: readonly string[]]>> = {
  bash: [
    ["command"],
    [
      ...["timeout", "description", "run_in_background", "dangerouslyDisableSandbox", "namespaceRestrictions"],
      ...["isolateNetwork", "filesystemMode", "allowedMounts"],
    ],
  ],
  read_file: [["path"], ["offset", "limit"]],
  write_file: [["path", "content"], []],
  edit_file: [["path", "old_string", "new_string"], ["replace_all"]],
  glob_search: [["pattern"], ["path"]],
  grep_search: [
    ["pattern"],
    [
      ...["path", "glob", "output_mode", "-B", "-A", "-C", "context", "-n", "-i", "type", "head_limit", "offset"],
      "multiline",
    ],
  ],
  WebFetch: [["url", "prompt"], []],
  WebSearch: [["query"], ["allowed_domains", "blocked_domains"]],
  TodoWrite: [["todos"], []],
  Skill: [["skill"], ["args"]],
  Agent: [
    ["description", "prompt"],
    ["subagent_type", "name", "model"],
  ],
  ToolSearch: [["query"], ["max_results"]],
  NotebookEdit: [["notebook_path"], ["cell_id", "new_source", "cell_type", "edit_mode"]],
  Sleep: [["duration_ms"], []],
  SendUserMessage: [["message", "status"], ["attachments"]],
  Config: [["setting"], ["value"]],
  StructuredOutput: [[], []],
  REPL: [["code", "language"], ["timeout_ms"]],
  PowerShell: [["command"], ["timeout", "description", "run_in_background"]],
}

interface Definition {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: string; readonly properties?: object; readonly required?: readonly string[] }
}

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  "003-1": async () => {
    const { stdout } = await command("tools", "--dialect", "claw", "--json")
    const listed = JSON.parse(stdout) as { id: string; description: string; tier: string; input_schema: object }[]
    expect(listed.map(({ id, tier }) => [id, tier])).toEqual(tiers)
    for (const { description, input_schema } of listed) {
      expect(description).toMatch(/^[A-Z].*\.$/)
      expect(input_schema).toMatchObject({ type: "object" })
    }
  },
  "003-2": async () => {
    const { good } = await speaking({ "a.txt": "one\n" })
    const ended = await good("bash", { command: "cat a.txt; echo two >&2; exit 3" })
    expect(ended).toMatchObject({ stdout: "one\n", stderr: "two\n", returnCodeInterpretation: "exit_code:3" })
    expect(ended.sandboxStatus).toMatchObject({ active: true })
    const killed = await good("bash", { command: "kill -9 $$" })
    expect(killed.returnCodeInterpretation).toBe("signal:SIGKILL")
  },
  "003-3": async () => {
    const { good } = await speaking()
    const ended = await good("bash", { command: "echo x", dangerouslyDisableSandbox: true })
    expect(ended.dangerouslyDisableSandbox).toBe(false)
    expect(ended.sandboxStatus).toMatchObject({ active: true, requested: { enabled: false } })
    const { fallback_reason } = ended.sandboxStatus as { fallback_reason: string }
    expect(fallback_reason).toContain("dangerouslyDisableSandbox was not followed")
    expect((await good("bash", { command: "echo x" })).dangerouslyDisableSandbox).toBeNull()
  },
  "003-4": async () => {
    const { good } = await speaking({ "a.txt": "one\ntwo\n" })
    expect(await good("read_file", { path: "a.txt", offset: 1 })).toMatchObject({
      file: { content: "two", numLines: 1, startLine: 2, totalLines: 2 },
    })
  },
  "003-5": async () => {
    const { good } = await speaking()
    expect(await good("write_file", { path: "new/a.txt", content: "x\n" })).toMatchObject({ type: "create" })
    expect(readFileSync(world!.path("new/a.txt"), "utf8")).toBe("x\n")
  },
  "003-6": async () => {
    const { good } = await speaking({ "a.txt": "x y\n" })
    await good("edit_file", { path: "a.txt", old_string: "x", new_string: "z" })
    expect(readFileSync(world!.path("a.txt"), "utf8")).toBe("z y\n")
  },
  "003-7": async () => {
    const { good } = await speaking({ "a.rs": "", "src/b.rs": "", "c.txt": "" })
    expect(await good("glob_search", { pattern: "**/*.rs" })).toMatchObject({ numFiles: 2, truncated: false })
  },
  "003-8": async () => {
    const { good } = await speaking({ "a.txt": "hit\nno\n" })
    const found = await good("grep_search", { pattern: "h.t", output_mode: "content" })
    expect(found.content).toContain("a.txt:1:hit")
  },
  "003-9": async () => {
    const claw = (await dialectNamed("claw"))!
    const { description } = claw.tools.find(({ name }) => name === "WebFetch")!
    expect(description).not.toMatch(/answer/i)
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html")
      response.end("<title>The title</title><p>It begins so</p>")
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const { good } = await speaking({}, { network: { grants: [place] } })
      const page = await good("WebFetch", { url: `http://${place}/`, prompt: "What is this about?" })
      expect(page).toMatchObject({ code: 200, codeText: "OK" })
      expect(page.result).toContain("It begins so")
      const titled = await good("WebFetch", { url: `http://${place}/`, prompt: "the title" })
      expect(titled.result).toContain("Title: The title")
    } finally {
      server.close()
    }
  },
  "003-10": async () => {
    const server = await startSearchServer()
    const hosts = ["a.org", "docs.a.org", ...Array.from({ length: 9 }, (_, index) => `c${index}.net`)]
    server.rows = () => hosts.map((host) => ({ title: `On ${host}`, url: `https://${host}/page`, snippet: "" }))
    try {
      const webSearch = { endpoints: { ddg: server.endpoints.ddg } }
      const { good, call } = await speaking({}, { network: { grants: [server.host], webSearch } })
      const search = async (input: object) => {
        const { query, results } = (await good("WebSearch", { query: "anything", ...input })) as {
          readonly query: string
          readonly results: readonly [string, { readonly content: readonly { readonly url: string }[] }]
        }
        expect([query, results[0]]).toEqual(["anything", expect.stringContaining("Include a Sources section")])
        return results[1].content.map(({ url }) => new URL(url).host)
      }
      expect(await search({})).toEqual(hosts.slice(0, 8))
      expect(await search({ allowed_domains: ["a.org"] })).toEqual(["a.org", "docs.a.org"])
      expect(await search({ blocked_domains: ["net"] })).toEqual(["a.org", "docs.a.org"])
      expect((await call("WebSearch", { query: "x" })).success).toBe(false)
    } finally {
      await server.close()
    }
  },
  "003-11": async () => {
    const { good } = await speaking()
    const todos = [{ content: "a", activeForm: "doing a", status: "in_progress" }]
    expect(await good("TodoWrite", { todos })).toMatchObject({ oldTodos: [], newTodos: todos })
  },
  "003-12": async () => {
    const { good } = await speaking({
      ".agents/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDF\n---\nDo this\n",
    })
    expect(await good("Skill", { skill: "/pdf" })).toMatchObject({ description: "Reads PDF" })
  },
  "003-14": async () => {
    const { good } = await speaking()
    expect((await good("ToolSearch", { query: "select:Sleep" })).matches).toEqual(["Sleep"])
  },
  "003-15": async () => {
    const cell = { cell_type: "code", execution_count: null, id: "c", metadata: {}, outputs: [], source: ["1"] }
    const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 })
    const { good } = await speaking({ "a.ipynb": notebook })
    await good("NotebookEdit", { notebook_path: "a.ipynb", cell_id: "c", new_source: "2" })
    const written = readFileSync(world!.path("a.ipynb"), "utf8")
    expect((JSON.parse(written) as { cells: { source: unknown }[] }).cells[0]!.source).toEqual(["2"])
  },
  "003-16": async () => {
    const { good } = await speaking()
    expect(await good("Sleep", { duration_ms: 5 })).toEqual({ duration_ms: 5, message: "Slept for 5ms" })
  },
  "003-17": async () => {
    bench = workbench()
    bench.write("a.txt", "xyz")
    const words = ["call", "SendUserMessage", "--dialect", "claw", "--args"]
    const message = { message: "The tests pass\u001b[2J", status: "normal", attachments: ["a.txt"] }
    const { code, stdout, stderr } = await bench.run([...words, JSON.stringify(message)])
    expect(code).toBe(0)
    expect(stderr).toContain("The tests pass")
    expect(stderr).not.toContain("\u001b[2J")
    expect(stderr).toContain(`${join(bench.work, "a.txt")} (3 bytes)`)
    expect(JSON.parse(stdout)).toMatchObject({ message: message.message })
    const own = await bench.run(["call", "send_user_message", "message=Half way", "status=proactive"])
    expect([own.stdout, own.stderr]).toEqual(["Message sent\n", "Half way\n"])
  },
  "003-18": async () => {
    const config = async (...words: readonly string[]) => {
      const { stdout, stderr } = await command("call", "Config", ...words, "--dialect", "claw", "--json", "--yes")
      const said = JSON.parse(stdout || stderr) as string
      return said.startsWith("{") ? (JSON.parse(said) as Record<string, unknown>) : said
    }
    expect(await config("setting=theme", "value=dark")).toMatchObject({ operation: "set", newValue: "dark" })
    expect(await config("setting=theme")).toMatchObject({ success: true, operation: "get", value: "dark" })
    expect(await config("setting=verbose", "value=true")).toMatchObject({ operation: "set", newValue: true })
    expect(await config("setting=permissions.defaultMode")).toMatchObject({ success: true, value: "default" })
    expect(await config("setting=nope")).toMatchObject({ success: false, error: 'Unknown setting: "nope"' })
    for (const name of ["editorMode", "autoCompactEnabled", "teammateMode", "alwaysThinkingEnabled"]) {
      const error = `Cannot use the setting "${name}": nothing here does what it steers`
      expect(await config(`setting=${name}`)).toMatchObject({ success: false, error })
      expect(await config(`setting=${name}`, "value=x")).toMatchObject({ success: false, error })
    }
    expect(await config("setting=permissions.defaultMode", "value=plan")).toBe(
      'Cannot set "permissions.defaultMode": it decides about what is allowed, so only a person may set it',
    )
  },
  "003-19": async () => {
    const { good } = await speaking()
    expect(await good("StructuredOutput", { a: 1 })).toMatchObject({ structured_output: { a: 1 } })
  },
  "003-20": async () => {
    const { good } = await speaking()
    expect(await good("REPL", { language: "sh", code: "echo hi; exit 2" })).toMatchObject({
      ...{ stdout: "hi\n", exitCode: 2 },
    })
  },
  "003-21": async () => {
    const { call } = await speaking()
    const { success, text } = await call("PowerShell", { command: "Write-Output hi" })
    if (success) expect((JSON.parse(text) as { stdout: string }).stdout).toContain("hi")
    else expect(text).toMatch(/^Cannot run PowerShell: neither pwsh nor powershell is on this machine/)
  },
  "003-22": async () => {
    expect(options.policy!.choices).toEqual(policyNames)
    bench = workbench()
    bench.write("a.txt", "one\n")
    const calls: readonly (readonly [string, readonly string[]])[] = [
      ["read_file", ["path=a.txt"]],
      ["write_file", ["path=b.txt", "content=x"]],
      ["bash", ["command=touch c.txt"]],
    ]
    // A test has nobody to ask, so that an ask ends as a deny (6); what is allowed ends with 0.
    const table: Readonly<Record<string, readonly number[]>> = {
      "claw:read-only": [0, 6, 6],
      "claw:workspace-write": [0, 0, 6],
      "claw:danger-full-access": [0, 0, 0],
      "claw:prompt": [6, 6, 6],
      "claw:allow": [0, 0, 0],
    }
    for (const [policy, expected] of Object.entries(table)) {
      const codes: number[] = []
      for (const [tool, words] of calls) {
        codes.push((await bench.run(["call", tool, ...words, "--dialect", "claw", "--policy", policy])).code)
      }
      expect([policy, codes]).toEqual([policy, expected])
    }
    // In workspace-write a person is asked about bash, in read-only it is refused whatever they say.
    const asked = ["call", "bash", "command=touch c.txt", "--dialect", "claw", "--yes", "--policy"]
    expect((await bench.run([...asked, "claw:workspace-write"])).code).toBe(0)
    expect((await bench.run([...asked, "claw:read-only"])).code).toBe(6)
    const unknown = await bench.run(["call", "read_file", "path=a.txt", "--policy", "claw:everything"])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("claw:danger-full-access")])
    const write = ["call", "write", "file_path=d.txt", "content=x", "--dialect", "a3s", "--policy"]
    expect((await bench.run([...write, "a3s:deny"])).code).toBe(6)
    expect((await bench.run([...write, "a3s:allow"])).code).toBe(0)
    const local = ["call", "lobe-local-system____writeLocalFile", "path=e.txt", "content=x", "--dialect", "lobe"]
    expect((await bench.run([...local, "--policy", "lobe:manual"])).code).toBe(6)
    expect((await bench.run([...local, "--policy", "lobe:auto-run"])).code).toBe(0)
  },
  "003-23": async () => {
    const { session } = await speaking({ "a.txt": "one\n" })
    const executor = session.executor({ dialect: "claw" })
    expect(JSON.parse(await executor.execute("read_file", '{"path":"a.txt"}'))).toMatchObject({ type: "text" })
    await expect(executor.execute("read_file", '{"path":"none"}')).rejects.toThrow('Cannot read "none"')
  },
  "003-24": async () => {
    const unknown = await command("call", "read_fil", "path=zz", "--dialect", "claw", "--json")
    expect(unknown.code).toBe(2)
    expect(JSON.parse(unknown.stdout)).toBe(
      'Cannot call "read_fil": claw has no tool of that name\nDid you mean "read_file"?',
    )
    const missing = await command("call", "read_file", "path=zz", "--dialect", "claw", "--json")
    expect(JSON.parse(missing.stdout)).toBe('Cannot read "zz": it does not exist\nLook for it with glob_search')
  },
  "003-28": async () => {
    const executor = staticExecutor().register("bash", () => "output")
    expect(await executor.execute("bash", "{}")).toBe("output")
    await expect(executor.execute("nope", "{}")).rejects.toThrow("nope")
  },
  "003-29": async () => {
    const listed = async (format: string) =>
      JSON.parse((await command("tools", "--dialect", "claw", "--format", format, "--json")).stdout) as never[]
    const definitions: readonly Definition[] = await listed("anthropic")
    for (const { name, input_schema } of definitions) {
      const [required, optional] = parameters[name]!
      const keys = Object.keys(input_schema.properties ?? {})
      expect([name, keys.toSorted()]).toEqual([name, [...required, ...optional].toSorted()])
      expect([name, [...(input_schema.required ?? [])].toSorted()]).toEqual([name, required.toSorted()])
    }
    expect(definitions.map(({ name }) => name)).toEqual(Object.keys(parameters))
    for (const format of ["haft", "mcp", "openai", "openai-responses", "gemini"]) {
      const text = JSON.stringify(await listed(format))
      for (const { name, description } of definitions) {
        expect([format, text.includes(`"${name}"`), text.includes(JSON.stringify(description))]).toEqual([
          ...[format, true, true],
        ])
      }
    }
  },
}

for (const { id, statement, state, waits, test: place, title } of seed003) {
  if (state === "waits") test.todo(`${id} ${statement} (waits for ${waits})`)
  else if (title === undefined) test(`${id} ${statement}`, proofs[id]!, 60_000)
  else test(`${id} ${statement} (${place})`, async () => expect(await readFile(place!, "utf8")).toContain(title))
}

test("every statement that does not wait has its proof here", () => {
  expect(Object.keys(proofs)).toEqual(
    seed003.flatMap(({ id, state, title }) => (state === "waits" || title !== undefined ? [] : [id])),
  )
})
