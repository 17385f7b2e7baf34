import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { sandboxIsHere } from "../../../test/shell-world.js"
import { type Workbench, workbench } from "../../../test/workbench.js"
import { main } from "../main.js"

let bench: Workbench
beforeEach(() => {
  bench = workbench()
})
afterEach(() => bench.remove())

const script = fileURLToPath(new URL("../../../test/mcp-servers/fake-server.mjs", import.meta.url))
const starts = () => join(bench.home, "data", "mcp-fake", "starts")
const list = async () => JSON.parse((await bench.run(["mcp", "list", "--json"])).stdout)

/** Runs at a terminal and answers each question. */
async function typing(words: readonly string[], answer: string): Promise<{ code: number; shown: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const stdout = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  let shown = ""
  stderr.on("data", (piece) => {
    shown += String(piece)
    if (String(piece).includes("Type yes")) setTimeout(() => stdin.write(`${answer}\n`), 20)
  })
  stdout.on("data", (piece) => {
    shown += String(piece)
  })
  const env = { ...bench.env, TERM: "dumb", PATH: process.env.PATH ?? "" }
  const code = await main(words, { stdin, stdout, stderr, env, cwd: bench.work, managedFile: bench.managedFile })
  return { code, shown }
}

const add = (mode = "ok") => bench.run(["mcp", "add", "fake", "--", "node", script, mode])

describe("haft mcp", () => {
  test("add names a server, list shows it, remove takes it away; nothing is started", async () => {
    expect((await add()).code).toBe(0)
    expect(await list()).toMatchObject([
      { name: "fake", state: "untrusted", transport: "stdio", command: ["node", script, "ok"] },
    ])
    expect((await bench.run(["mcp", "remove", "fake"])).code).toBe(0)
    expect(await list()).toEqual([])
    expect(existsSync(starts())).toBe(false)
  })

  test("what cannot be used is refused with the next step", async () => {
    expect(await bench.run(["mcp", "add", "fake"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--url") })
    expect(await bench.run(["mcp", "add", "a b", "--", "x"])).toMatchObject({ code: 3 })
    expect(await bench.run(["mcp", "add", "docs", "--url", "ftp://x"])).toMatchObject({ code: 3 })
    expect(await bench.run(["mcp", "test", "nobody"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("haft mcp list"),
    })
    bench.write(".mcp.json", "{")
    expect(await bench.run(["mcp", "list"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("it is no JSON"),
    })
  })

  test.each(["user", "project"])("an entry is not replaced by another one (%s)", async (scope) => {
    const added = (...words: readonly string[]) => bench.run(["mcp", "add", "--scope", scope, "fake", ...words])
    expect((await added("--", "node", script)).code).toBe(0)
    const again = await added("--", "node", script)
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("once you trust it") })
    const other = await added("--", "other")
    expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining("haft mcp remove fake") })
    expect(await list()).toMatchObject([{ name: "fake", command: ["node", script] }])
  })

  test.each(["null", "[]", '{"mcpServers": []}'])("a file that holds %s is not written over", async (text) => {
    bench.write(".mcp.json", text)
    const added = await bench.run(["mcp", "add", "--scope", "project", "fake", "--", "node"])
    expect(added).toMatchObject({ code: 3, stderr: expect.stringContaining('no object with "mcpServers"') })
    expect(bench.read(".mcp.json")).toBe(text)
  })

  test("an address and a command are no one server", async () => {
    const both = await bench.run(["mcp", "add", "both", "--url", "http://127.0.0.1:1/mcp", "--", "node", "x"])
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("an address and a command") })
    expect(await list()).toEqual([])
  })

  test.skipIf(!sandboxIsHere)(
    "trust in a server that does not work says what to do, and leads nowhere else",
    async () => {
      await add("exit")
      const { code, shown } = await typing(["mcp", "trust", "fake"], "yes")
      expect([code, shown]).toEqual([5, expect.stringContaining("it ended with code 3")])
      expect(shown).not.toContain("haft mcp test")
      expect((await bench.run(["mcp", "remove", "fake"])).code).toBe(0)
      await add("garbage")
      expect((await typing(["mcp", "trust", "fake"], "yes")).shown).not.toContain("haft mcp test")
    },
  )

  test.skipIf(!sandboxIsHere).each([
    ["an absolute path", (file: string) => file],
    ["a path from the folder", () => "./server.mjs"],
  ])("a program that does not see its own file says how it would: %s", async (_name, named) => {
    const args = [named(bench.write("server.mjs", ""))]
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { own: { command: "node", args } } }))
    const { shown } = await typing(["mcp", "trust", "own"], "yes")
    expect(shown).toContain("It does not see /")
    expect(shown).toMatch(/name that path and "readable": \["\/.*"\] in its entry, then run: haft mcp trust own/)
  })

  test("trust needs a person at a terminal, and test needs trust", async () => {
    await add()
    expect((await bench.run(["mcp", "trust", "fake"])).code).toBe(6)
    expect((await bench.run(["mcp", "test", "fake"])).code).toBe(6)
    expect((await typing(["mcp", "trust", "fake"], "no")).code).toBe(6)
    expect(existsSync(starts())).toBe(false)
  })

  test.skipIf(!sandboxIsHere)("a trusted server is called, tested, and withdrawn when its entry changes", async () => {
    await add()
    const { code, shown } = await typing(["mcp", "trust", "fake"], "yes")
    expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining("Says it again") })
    expect(statSync(join(bench.config, "mcp-trust.json")).mode & 0o777).toBe(0o600)
    expect(await list()).toMatchObject([{ state: "trusted", digest: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    const called = await bench.run(["call", "mcp__fake__echo", "text=hello", "--yes", "--json"])
    expect(JSON.parse(called.stdout)).toMatchObject({ type: "output", data: { text: "hello" } })
    expect((await bench.run(["call", "mcp__fake__echo", "text=hello"])).code).toBe(6)
    const weather = await bench.run(["call", "mcp:fake:查询天气", "--yes"])
    expect(weather).toMatchObject({ code: 0, stdout: "called 查询天气\n" })
    expect((await bench.run(["call", "mcp:fake:dotted.name", "--yes"])).stdout).toBe("dotted\n")
    const offers = await bench.run(["call", "mcp_resources", "server=fake", "--yes"])
    expect(offers).toMatchObject({ code: 0, stdout: expect.stringContaining("resource fake://notes") })
    const greet = ["call", "mcp_prompt", "server=fake", "name=greet", 'arguments={"who":"Ada"}', "--yes"]
    expect(await bench.run(greet)).toMatchObject({ code: 0, stdout: "user: Greet Ada\n" })
    const tested = await bench.run(["mcp", "test", "fake", "--json"])
    expect(JSON.parse(tested.stdout)).toMatchObject({ name: "fake", server: "fake 1", era: "legacy", changes: [] })
    writeFileSync(join(bench.home, "data", "mcp-fake", "altered"), "")
    expect(await bench.run(["mcp", "test", "fake"])).toMatchObject({
      code: 7,
      stdout: expect.stringContaining("echo: its description changed"),
    })
    const file = join(bench.config, "config.jsonc")
    writeFileSync(file, readFileSync(file, "utf8").replace('"ok"', '"other"'))
    expect(await list()).toMatchObject([{ state: "changed", reason: expect.stringContaining("its command line was") }])
    expect((await bench.run(["call", "mcp__fake__echo", "text=x", "--yes"])).code).toBe(2)
  })

  test.skipIf(!sandboxIsHere)("a server of .mcp.json is trusted for that folder alone", async () => {
    const entry = { command: "node", args: [script, "ok"], readable: [join(script, "..")], autoApprove: ["echo"] }
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: entry } }))
    expect(await list()).toMatchObject([{ name: "fake", state: "untrusted" }])
    expect((await typing(["mcp", "trust", "fake"], "yes")).code).toBe(0)
    expect(await list()).toMatchObject([{ state: "trusted" }])
    const pins = JSON.parse(readFileSync(join(bench.config, "mcp-trust.json"), "utf8"))
    expect(pins.servers[0].folder).toBe(bench.work)
    const other = join(bench.work, "../other")
    mkdirSync(other)
    writeFileSync(join(other, ".mcp.json"), bench.read(".mcp.json"))
    const elsewhere = await bench.run(["mcp", "list", "--json"], { cwd: other })
    expect(JSON.parse(elsewhere.stdout)).toMatchObject([{ name: "fake", state: "untrusted" }])
    // Not the data of a server that another folder, or the user, calls by the same name.
    expect(readdirSync(join(bench.home, "data"))).toEqual([expect.stringMatching(/^mcp-fake-[0-9a-f]{12}$/)])
    expect((await bench.run(["mcp", "trust", "fake", "--remove"])).code).toBe(0)
    expect(await list()).toMatchObject([{ state: "untrusted" }])
  })

  test.skipIf(!sandboxIsHere)(
    "trust in a server of .mcp.json shows the values of variables, and ends with them",
    async () => {
      const write = (env: object) => {
        const entry = { command: "node", args: [script, "ok"], readable: [join(script, "..")], env }
        bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: entry } }))
      }
      write({ LEVEL: "plain words" })
      const { code, shown } = await typing(["mcp", "trust", "fake"], "yes")
      expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining('LEVEL="plain words"') })
      expect(readFileSync(join(bench.config, "mcp-trust.json"), "utf8")).not.toContain("plain words")
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
      write({ LEVEL: "${OPENAI_API_KEY}" })
      const reason = "the values of its variables changed; it is trusted no more"
      expect(await list()).toMatchObject([{ state: "changed", reason }])
      expect((await bench.run(["mcp", "test", "fake"])).code).toBe(6)
      write({ LEVEL: "plain words" })
      expect(await list()).toMatchObject([{ state: "trusted" }])
      // As it was before values belonged to it.
      const file = join(bench.config, "mcp-trust.json")
      const old = JSON.parse(readFileSync(file, "utf8"))
      delete old.servers[0].launch.values
      writeFileSync(file, JSON.stringify(old))
      const unseen = "nobody has looked at the values of its variables; it is trusted no more"
      expect(await list()).toMatchObject([{ state: "changed", reason: unseen }])
    },
  )

  /** What a person sees of an entry of .mcp.json before anything of it is started. */
  async function shownOf(entry: object): Promise<string> {
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: entry } }))
    const { code, shown } = await typing(["mcp", "trust", "fake"], "no")
    expect(code).toBe(6)
    return shown
  }

  test("trust shows all that a .mcp.json says of a program, and where each part of it begins and ends", async () => {
    const env = {
      A: "x".repeat(900),
      NODE_OPTIONS: "--require=/tmp/evil.js",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
      LEAK: "${AWS_SECRET_ACCESS_KEY}",
      B: "1  C=2",
      'D="" E': "3",
    }
    const args = ["y".repeat(220), "--eval", "require('/tmp/evil.js')"]
    const readable = ["/opt/one two", `/${"z".repeat(300)}`, "/etc/passwd"]
    const shown = await shownOf({ command: "node", args, env, net: ["example.com"], readable })
    const rows = shown.split("\n").map((row) => row.trim().replace(/^(variables|reads) +/, ""))
    for (const row of ['NODE_OPTIONS="--require=/tmp/evil.js"', `LEAK="${env.LEAK}"`, 'B="1  C=2"']) {
      expect(rows).toContain(row)
    }
    expect(rows).toContain('"D=\\"\\" E"="3"')
    const unbroken = rows.join("")
    expect(unbroken).toContain(`A="${"x".repeat(900)}"`)
    expect(unbroken).toContain(`${"y".repeat(220)} --eval "require('/tmp/evil.js')"`)
    expect(unbroken).toContain(`"/opt/one two"/${"z".repeat(300)}/etc/passwd`)
  })

  test("trust shows headers and oauth of a .mcp.json as they are written", async () => {
    const url = `https://example.com/${"a".repeat(250)}/end`
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
    const headers = { "X-Long": "x".repeat(300), "X-Key": "${MCP_TEST_KEY}" }
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the user
    const oauth = { clientId: "me", clientSecret: "${MCP_TEST_KEY}", scope: "read all" }
    const shown = await shownOf({ url, headers, oauth })
    for (const row of [
      `X-Key="${oauth.clientSecret}"`,
      'clientId="me"',
      `clientSecret="${oauth.clientSecret}"`,
      'scope="read all"',
    ]) {
      expect(shown).toContain(row)
    }
    expect(shown.replace(/\n */g, "")).toContain(url)
  })

  test.each([
    ["one long value", { A: " ".repeat(10_000) }],
    ["many short ones", Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`A${index}`, ""]))],
  ])("trust refuses a .mcp.json that says more than a person can look through: %s", async (_, more) => {
    const env = { NODE_OPTIONS: "--require=/tmp/evil.js", ...more }
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: { command: "node", env } } }))
    const { code, shown } = await typing(["mcp", "trust", "fake"], "yes")
    expect(code).toBe(3)
    expect(shown).toMatch(/its entry takes more than 100 lines, .*\n.*haft mcp trust fake/)
  })

  test.skipIf(!sandboxIsHere)(
    "values in the user's own configuration are the user's to change, and are not shown",
    async () => {
      const adding = (value: string) =>
        bench.run(["mcp", "add", "fake", "--env", `KEY=${value}`, "--", "node", script, "ok"])
      await adding("first-secret")
      const { code, shown } = await typing(["mcp", "trust", "fake"], "yes")
      expect({ code, shown }).toMatchObject({ code: 0, shown: expect.not.stringContaining("first-secret") })
      await adding("second-secret")
      expect(await list()).toMatchObject([{ state: "trusted" }])
    },
  )
})

describe.skipIf(!sandboxIsHere)("a server that turns bad after it was trusted, in the built command", () => {
  const haft = fileURLToPath(new URL("../../../bin/haft.cjs", import.meta.url))

  function built(...words: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const env = { PATH: process.env.PATH ?? "", ...bench.env }
    const child = spawn(process.execPath, [haft, ...words], { cwd: bench.work, env, stdio: ["ignore", "pipe", "pipe"] })
    const said = { stdout: "", stderr: "" }
    child.stdout.on("data", (piece) => (said.stdout += String(piece)))
    child.stderr.on("data", (piece) => (said.stderr += String(piece)))
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })))
  }

  /** A server that was trusted while it behaved, and does something else from now on. */
  async function turned(file: string, content = "", startTimeoutMs = 30_000): Promise<void> {
    const entry = { command: "node", args: [script, "ok"], readable: [join(script, "..")], startTimeoutMs }
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: entry } }))
    expect((await typing(["mcp", "trust", "fake"], "yes")).code).toBe(0)
    const [data] = readdirSync(join(bench.home, "data"))
    writeFileSync(join(bench.home, "data", data!, file), content)
  }

  /** How a run ended whose model calls the server and goes on: its exit code, and what its events say. */
  async function runOfModel() {
    const lines = [{ calls: [{ name: "mcp__fake__echo", args: { text: "x" } }] }, { text: "I go on without it." }]
    const file = bench.write("../script.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"))
    const ran = await built("run", "--model", `script:${file}`, "--allow", "mcp__fake__echo", "--ndjson", "Echo x")
    const events = ran.stdout.trim().split("\n")
    const parsed = events.map((line) => JSON.parse(line) as { type: string; envelope?: unknown; outcome?: unknown })
    const find = (type: string) => parsed.find((event) => event.type === type)
    return { code: ran.code, called: find("tool-end")?.envelope, ended: find("turn-end")?.outcome }
  }

  // biome-ignore format: one line for each
  const bad = [
    { mode: "banner", code: 5, error: "backend", words: 'it printed "Listening on stdio, have fun!" to its standard output', step: "Repair the server" },
    { mode: "flood", code: 5, error: "backend", words: "it floods: it sent more than 2000 messages a second", step: "haft mcp test fake" },
    { mode: "hang", code: 124, error: "timeout", words: "it did not answer within 5000 ms of its start", step: '"startTimeoutMs" in its entry', startTimeoutMs: 5000 },
  ]
  test.each(bad)("$mode: mcp test and a run say what it did and what to do", async (row) => {
    await turned("mode", row.mode, row.startTimeoutMs)
    const tested = await built("mcp", "test", "fake")
    expect(tested).toMatchObject({ code: row.code, stdout: "", stderr: expect.stringContaining(row.words) })
    expect(tested.stderr).toContain(row.step)
    // For a run it is one call that failed: the model reads why, and goes on.
    expect(await runOfModel()).toMatchObject({
      code: 0,
      called: {
        type: "error",
        error_text: expect.stringContaining(row.words),
        metadata: {
          error_code: row.error,
          hint: "Go on without this server",
          details: { fix: expect.stringContaining(row.step) },
        },
      },
      ended: { reason: "done", text: "I go on without it." },
    })
  })

  test("other texts: mcp test names the tool, and a run is refused it until somebody trusts it again", async () => {
    await turned("altered")
    const tested = await built("mcp", "test", "fake")
    expect(tested).toMatchObject({ code: 7, stdout: expect.stringContaining("echo: its description changed") })
    const refused = {
      type: "error",
      error_text: expect.stringContaining(
        "it is trusted no more, because its description changed since it was trusted",
      ),
      metadata: { error_code: "denied", details: { fix: expect.stringContaining("haft mcp trust fake") } },
    }
    expect(await runOfModel()).toMatchObject({ code: 0, called: refused, ended: { reason: "done" } })
    expect((await typing(["mcp", "trust", "fake"], "yes")).code).toBe(0)
    expect(await runOfModel()).toMatchObject({ code: 0, called: { type: "output", data: { text: "x" } } })
  })

  test("hang: a person who waits no longer is told that it was interrupted, and not of a defect", async () => {
    await turned("mode", "hang")
    const ended = await bench.run(["mcp", "test", "fake"], {
      signal: AbortSignal.timeout(1500),
      env: { PATH: process.env.PATH ?? "" },
    })
    expect(ended).toMatchObject({ code: 130, stderr: "error: Cannot go on: it was interrupted\n" })
  })

  test("another command: a run says that the server brings no tools, why, and what to do", async () => {
    await turned("unused")
    const changed = { command: "node", args: [script, "other"], readable: [join(script, "..")] }
    bench.write(".mcp.json", JSON.stringify({ mcpServers: { fake: changed } }))
    bench.write("../script.jsonl", JSON.stringify({ text: "Hello." }))
    const words = ["run", "--model", `script:${join(bench.work, "../script.jsonl")}`, "Say hello"]
    const why =
      /The MCP server "fake" brings no tools: its command line was ".* ok" and is now ".* other"; .*haft mcp trust fake/
    expect(await built(...words)).toMatchObject({ code: 0, stderr: expect.stringMatching(why) })
    const { stdout } = await built(...words, "--ndjson")
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; message?: string })
    expect(events.filter(({ type }) => type === "error")).toMatchObject([{ message: expect.stringMatching(why) }])
  })
})

describe("haft mcp config", () => {
  const own = fileURLToPath(new URL("../../../bin/haft.cjs", import.meta.url))

  test.each([
    ["claude-code", "claude mcp add haft -- haft mcp --root ROOT --allow 'fs.write(src/**)'"],
    ["codex", '[mcp_servers.haft]\ncommand = "haft"\nargs = ["mcp","--root","ROOT","--allow","fs.write(src/**)"]'],
  ])("prints what %s needs, with the root and the flags", async (client, expected) => {
    const env = { PATH: inFolder("bin") }
    const { code, stdout } = await bench.run(["mcp", "config", client, "--allow", "fs.write(src/**)"], { env })
    expect([code, stdout.trim()]).toEqual([0, expected.replace("ROOT", bench.work)])
  })

  /** A folder with the command `haft` in it, as npm makes it. */
  function inFolder(path: string): string {
    const folder = join(bench.work, "..", path)
    mkdirSync(folder, { recursive: true })
    symlinkSync(own, join(folder, "haft"))
    return folder
  }

  test.each([
    ["cursor", "mcpServers"],
    ["claude-desktop", "mcpServers"],
    ["windsurf", "mcpServers"],
    ["jetbrains", "mcpServers"],
    ["gemini", "mcpServers"],
    ["vscode", "servers"],
    ["zed", "context_servers"],
    ["opencode", "mcp"],
  ])("for %s it is JSON below %s", async (client, key) => {
    const { stdout } = await bench.run(["mcp", "config", client])
    const { haft } = (JSON.parse(stdout) as Record<string, { haft: { command: unknown; args?: unknown } }>)[key]!
    const words = [haft.command, haft.args ?? []].flat(2)
    expect(words).toEqual([process.execPath, own, "mcp", "--root", bench.work])
  })

  test("a command that only this shell finds is named by its path, and that starts it", async () => {
    const env = { PATH: inFolder("node_modules/.bin") }
    const { stdout } = await bench.run(["mcp", "config", "cursor"], { env })
    const { command, args } = (JSON.parse(stdout) as { mcpServers: { haft: { command: string; args: string[] } } })
      .mcpServers.haft
    expect(args[0]).toBe(own)
    expect(execFileSync(command, [args[0]!, "--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test("a client that is not known, and flags that a server would refuse, are refused here", async () => {
    expect(await bench.run(["mcp", "config", "curser"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean cursor?"),
    })
    expect((await bench.run(["mcp", "config", "cursor", "--tools", "nothing"])).code).toBe(2)
    expect((await bench.run(["mcp", "config", "cursor", "--tools", "read", "--toolset", "code"])).code).toBe(2)
  })
})
