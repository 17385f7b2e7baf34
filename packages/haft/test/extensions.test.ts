import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Envelope } from "@haft/contract"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { HaftOptions } from "../src/library/options.js"
import { type LibraryWorld, libraryWorld } from "./library-world.js"
import { running, sandboxIsHere, until } from "./shell-world.js"
import { type Workbench, workbench } from "./workbench.js"

const sample = resolve(import.meta.dirname, "../../../examples/extension/todo-finder")

let base: string
let world: LibraryWorld
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "haft-extension-"))
  world = await libraryWorld({
    "a.ts": "// TODO one\n// TODO two\n",
    "b.ts": "// TODO three\n",
    ".env": "TODO=1\n",
    "c/d.txt": "text\n",
  })
})
afterEach(async () => {
  await world.remove()
  rmSync(base, { recursive: true, force: true })
})

interface Parts {
  readonly id?: string
  readonly requires?: object
  readonly calls?: readonly string[]
  readonly tools?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
}

/** Writes an extension whose worker is this module. */
function extension(
  worker: string,
  { id = "probe", requires = {}, calls = [], tools = ["run"], files = {} }: Parts = {},
): string {
  const folder = join(base, id)
  mkdirSync(folder, { recursive: true })
  const declared = tools.map((tool) => ({
    id: tool,
    name: tool,
    description: `Does ${tool}`,
    parameters: { type: "object" },
  }))
  const manifest = { id, name: id, version: "1", permissions: ["tools:register"], requires, calls, tools: declared }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "worker.mjs"), worker)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** A worker with one handler. */
const handler = (body: string) =>
  `export default (haft) => haft.registerTool("run", async (args, { call, signal }) => { ${body} })`

async function opened(folder: string, options: HaftOptions & { readonly hosts?: readonly string[] } = {}) {
  const { hosts, ...rest } = options
  const haft = await world.haft({ toolset: "all", extensions: [{ folder, ...(hosts && { hosts }) }], ...rest })
  const session = await haft.openSession()
  const run = (args: object = {}, signal?: AbortSignal) =>
    session.call("probe:run" as never, args as never, { answer: "once", ...(signal && { signal }) }) as Promise<
      Envelope<{ text: string; tried?: string[] }>
    >
  const records = async () => (await haft.store()).calls(session.id)
  return { haft, session, run, records }
}
const textOf = (envelope: Envelope<{ text: string }>) =>
  envelope.type === "output" ? envelope.data.text : envelope.error_text

describe.runIf(sandboxIsHere)("an extension", () => {
  test("[C2-6] brings tools that go the way of every call: asked about, found by either name, recorded", async () => {
    const { session, records } = await opened(sample)
    expect(await session.call("todo-finder:list" as never, {} as never)).toMatchObject({
      metadata: { error_code: "denied" },
    })
    const envelope = (await session.call("todo-finder__list" as never, {} as never, { answer: "once" })) as Envelope<{
      text: string
    }>
    expect(JSON.parse(textOf(envelope))).toEqual({
      word: "TODO",
      files: [
        { path: "a.ts", todos: 2 },
        { path: "b.ts", todos: 1 },
      ],
    })
    const [, nested, call] = await records()
    expect(nested).toMatchObject({ tool: "grep", principal: 'extension "todo-finder"' })
    expect(call).toMatchObject({ tool: "todo-finder__list", envelope: { type: "output" } })
    expect(call!.principal).toBeUndefined()
  })

  test("sees nothing of the machine: files, sockets, processes and the environment are refused, and the journal says what it tried", async () => {
    const attempts = [
      ["import('node:fs')", "import node:fs"],
      ["import('node:net')", "import node:net"],
      ["import('child_process')", "import child_process"],
      ["import('node:process')", "import node:process"],
      ["import('../../../../etc/hosts')", "import ../../../../etc/hosts"],
      ["import('zod')", ""],
      ["fetch('http://127.0.0.1:1/')", "fetch http://127.0.0.1:1/"],
      ["process.env.HOME", "read the environment variable HOME"],
      ["Object.keys(process.env)", "list the environment"],
      ["process.getBuiltinModule('fs')", "use process.getBuiltinModule"],
      ["process.binding('fs')", "use process.binding"],
      ["new WebSocket('ws://127.0.0.1:1')", "open a socket to ws://127.0.0.1:1"],
      ["Function('return process')().mainModule", "use process.mainModule"],
      ["globalThis.constructor.constructor('return process.env.PATH')()", "read the environment variable PATH"],
    ]
    const lines = attempts.map(
      ([code]) => `try { got.push(String(await ${code})) } catch (error) { got.push("refused") }`,
    )
    const { run, records } = await opened(extension(handler(`const got = []; ${lines.join("; ")}; return got`)))
    const envelope = await run()
    const got = JSON.parse(textOf(envelope)) as string[]
    expect(got.filter((each) => !["refused", "undefined", ""].includes(each))).toEqual([])
    const expected = attempts.map(([, what]) => what!).filter((what) => what !== "")
    expect(envelope).toMatchObject({ data: { tried: expect.arrayContaining(expected) } })
    const [record] = (await records()).slice(-1)
    expect(record!.envelope).toMatchObject({ data: { tried: expect.arrayContaining(expected) } })
  })

  test("is held by the sandbox also where its code gets around the refusals", async () => {
    // As if all refusals of the worker were gone: a program of Node in the sandbox that a worker gets.
    mkdirSync(world.home, { recursive: true })
    writeFileSync(join(world.home, "kept.txt"), "state")
    const raw = extension("", { id: "raw" })
    writeFileSync(
      join(raw, "probe.mjs"),
      `
      import { readdirSync, readFileSync, writeFileSync } from "node:fs"; import { connect } from "node:net"
      const tried = {}
      for (const [name, work] of Object.entries({
        workspace: () => readdirSync(${JSON.stringify(world.root)}),
        secret: () => readFileSync(${JSON.stringify(join(world.root, ".env"))}),
        state: () => readFileSync(${JSON.stringify(join(world.home, "kept.txt"))}),
        own: () => writeFileSync(${JSON.stringify(join(raw, "x"))}, "x"),
      })) try { work(); tried[name] = "got it" } catch (error) { tried[name] = error.code }
      console.log(JSON.stringify({ ...tried, env: Object.keys(process.env).filter((name) => /TOKEN|KEY|SECRET/.test(name)) }))`,
    )
    const events: string[] = []
    const other = await world.haft({
      mcpServers: { raw: { command: "node", args: [join(raw, "probe.mjs")], readable: [raw], trusted: true } },
      hooks: { onEvent: (event) => void (event.type === "error" && events.push(event.message)) },
    })
    await other.openSession()
    expect(events.join("\n").replaceAll("\\", "")).toContain(
      '"workspace":"ENOENT","secret":"ENOENT","state":"ENOENT","own":"EROFS","env":[]',
    )
  })

  test("asks the host for effects, and gets what it declared, within the rules", async () => {
    const read = (path: string) =>
      handler(`return (await call("read", { file_path: ${JSON.stringify(path)} })).content`)
    const requires = { fs: { read: ["{workspace}/c/**"] } }
    const calls = ["read"]
    expect(textOf(await (await opened(extension(read("c/d.txt"), { requires, calls }))).run())).toContain("text")
    // Outside of what it declared, though the session may read it.
    const outside = await (await opened(extension(read("a.ts"), { requires, calls }))).run()
    expect(textOf(outside)).toContain('extension "probe" asks for it')
    // Inside, but a rule denies it.
    const secret = await (
      await opened(extension(read(".env"), { requires: { fs: { read: ["{workspace}/**"] } }, calls }))
    ).run()
    expect(textOf(secret)).toContain("denies")
    // Not declared among its calls.
    const undeclared = await (await opened(extension(read("c/d.txt"), { requires }))).run()
    expect(undeclared).toMatchObject({
      metadata: { details: { tried: ['call "read", which its manifest does not name'] } },
    })
  })

  test.each(["bash", "task", "question", "job_start", "clipboard_read", "probe__run"])(
    "cannot ask for %s, although it declares it",
    async (tool) => {
      const { run } = await opened(
        extension(handler(`return call(${JSON.stringify(tool)}, {})`), {
          calls: [tool],
          requires: { fs: { read: ["{workspace}/**"] } },
        }),
      )
      expect(textOf(await run())).toContain("no tool that extensions may ask for")
    },
  )

  test("[C2-90] the hosts that it may reach are a grant of their own", async () => {
    const server = createServer((_, response) => response.end("hello from the host")).listen(0, "127.0.0.1")
    await until(() => server.listening)
    const { port } = server.address() as AddressInfo
    const host = `127.0.0.1:${port}`
    const parts = { requires: { net: { hosts: [host] } }, calls: ["web_fetch"] }
    const folder = extension(handler(`return call("web_fetch", { url: "http://${host}/" })`), parts)
    const network = { grants: [host] }
    try {
      expect(textOf(await (await opened(folder, { network })).run())).toContain('extension "probe" asks for it')
      expect(textOf(await (await opened(folder, { network, hosts: [host] })).run())).toContain("hello from the host")
      // What the session itself may not reach, no grant of an extension opens.
      expect((await (await opened(folder, { hosts: [host] })).run()).type).toBe("error")
    } finally {
      server.close()
    }
  })

  test("a write that it asks for is asked about, though its own call was answered", async () => {
    const parts = { requires: { fs: { write: ["{workspace}/**"], read: ["{workspace}/**"] } }, calls: ["write"] }
    const { run } = await opened(
      extension(handler('return call("write", { file_path: "x.txt", content: "x" })'), parts),
    )
    expect(textOf(await run())).toContain("nobody is here to ask")
    expect(existsSync(world.path("x.txt"))).toBe(false)
  })

  test.each([
    ["throws when it is loaded", "throw new Error('no luck')", "no luck"],
    ["is no code", "this is no code (", "failed when it was loaded"],
    ["exports nothing", "export const a = 1", "no function as its default export"],
    [
      "registers a tool that it did not declare",
      "export default (h) => h.registerTool('other', () => 1)",
      'does not declare the tool "other"',
    ],
    [
      "registers a name that is taken",
      "export default (h) => { h.registerTool('run', () => 1); h.registerTool('run', () => 2) }",
      "has a handler already",
    ],
    ["registers nothing", "export default () => {}", "no handler"],
    ["ends itself when it is loaded", "export default () => new Promise(() => {}).then(process.exit())", ""],
    ["loads CommonJS", "import './x.cjs'\nexport default () => {}", "load x.cjs"],
  ])("that %s gives an error, and the session goes on", async (_name, worker, words) => {
    const { run, session } = await opened(extension(worker, { files: { "x.cjs": "module.exports = require('fs')" } }))
    const envelope = await run()
    expect(envelope.type).toBe("error")
    expect(textOf(envelope)).toContain(words)
    expect(await session.call("read", { file_path: "a.ts" })).toMatchObject({ type: "output" })
  })

  test.each([
    ["returns nothing", "return undefined", "null"],
    ["throws something odd", "throw { toString() { throw 1 } }", "without saying why"],
    ["returns what is no JSON", "return 1n", "BigInt"],
    ["returns a circle", "const a = {}; a.a = a; return a", "circular"],
    ["returns too much", "return 'x'.repeat(2_000_000)", "more than 1048576 bytes"],
  ])("whose handler %s gives an answer in our shape", async (_name, body, words) => {
    const { run } = await opened(extension(handler(body)))
    expect(textOf(await run())).toContain(words)
  })

  test("that never answers is given up when the call is, and is started again for the next", async () => {
    const { run } = await opened(
      extension(handler("if (args.hang) for (;;) {} ; if (args.wait) await new Promise(() => {}); return 'here'")),
    )
    expect(textOf(await run())).toBe("here")
    for (const args of [{ hang: true }, { wait: true }]) {
      const stop = new AbortController()
      const pending = run(args, stop.signal)
      setTimeout(() => stop.abort(), 300)
      expect(await pending).toMatchObject({ metadata: { error_code: "cancelled" } })
      await new Promise((done) => setTimeout(done, 1500))
      expect(textOf(await run())).toBe("here")
    }
  })

  test("that grows without bound ends, and nothing else does", async () => {
    const { run, session } = await opened(
      extension(
        handler("const kept = []; for (;;) kept.push(args.heap ? new Array(1e6).fill(1.5) : Buffer.alloc(8e6, 1))"),
      ),
    )
    for (const heap of [true, false])
      expect(await run({ heap })).toMatchObject({
        type: "error",
        metadata: { error_code: expect.stringMatching(/unavailable|backend/) },
      })
    expect(await session.call("read", { file_path: "a.ts" })).toMatchObject({ type: "output" })
  })

  test("that floods is ended", async () => {
    const { run } = await opened(
      extension(
        handler("for (let i = 0; i < 5000; i += 1) call('x', {}).catch(() => {}); await new Promise(() => {})"),
      ),
    )
    expect(textOf(await run())).toContain("floods")
  })

  test("that ends again and again is given up", async () => {
    const { run } = await opened(extension(handler("const kept = []; for (;;) kept.push(new Array(1e6).fill(1.5))")))
    const words: string[] = []
    for (let turn = 0; turn < 5; turn += 1) words.push(textOf(await run()))
    expect(words.at(-1)).toContain("3 times within a minute")
  })

  test("leaves no process behind", async () => {
    const folder = extension(handler("return 'up'"))
    const { run, haft } = await opened(folder)
    await run()
    await haft.close()
    expect(running(`node .*${folder}.*`)).toEqual([])
  })

  test("without a sandbox there are no extensions", async () => {
    const { run } = await opened(extension(handler("return 1")), { sandbox: { policy: "off" } })
    expect(await run()).toMatchObject({ metadata: { error_code: "not_found" } })
  })
})

describe("haft extension", () => {
  let bench: Workbench
  beforeEach(() => {
    bench = workbench()
  })
  afterEach(() => bench.remove())
  const list = async () => JSON.parse((await bench.run(["extension", "list", "--json"])).stdout)
  const call = (...more: string[]) => bench.run(["call", "probe__run", "--json", ...more])

  test.runIf(sandboxIsHere)(
    "[C2-90] install, enable, hosts and each call are four grants, and install runs no code",
    async () => {
      const folder = extension(`${handler("return 'ran'")}\nglobalThis.x = 1`, {
        requires: { net: { hosts: ["api.example.org"] } },
        calls: ["web_fetch"],
      })
      expect(await bench.run(["extension", "add", folder])).toMatchObject({ code: 0 })
      // 1: installed, and nothing more. Its copy is Haft's, its data folder does not exist: nothing of it ran.
      expect(await list()).toMatchObject([{ id: "probe", state: "disabled", granted_hosts: [] }])
      expect(existsSync(join(bench.home, "data", "extension-probe"))).toBe(false)
      expect((await call("--yes")).code).toBe(2)
      // 2: enabled, without a host.
      expect((await bench.run(["extension", "enable", "probe"])).code).toBe(0)
      expect(await list()).toMatchObject([{ state: "enabled", granted_hosts: [] }])
      // 4: each call is asked about.
      expect((await call()).code).toBe(6)
      expect(JSON.parse((await call("--yes")).stdout)).toMatchObject({ data: { text: "ran" } })
      // 3: the hosts that it asks for, and no others.
      expect(await bench.run(["extension", "enable", "probe", "--grant-net", "evil.test"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("api.example.org"),
      })
      expect((await bench.run(["extension", "enable", "probe", "--grant-net", "api.example.org"])).code).toBe(0)
      expect(await list()).toMatchObject([{ granted_hosts: ["api.example.org"] }])
      // Taken back together.
      await bench.run(["extension", "disable", "probe"])
      expect(await list()).toMatchObject([{ state: "disabled", granted_hosts: [] }])
      expect((await call("--yes")).code).toBe(2)
      expect((await bench.run(["extension", "remove", "probe"])).code).toBe(0)
      expect(await list()).toEqual([])
    },
  )

  test("other files are not what was enabled", async () => {
    const folder = extension(handler("return 1"))
    await bench.run(["extension", "add", folder])
    await bench.run(["extension", "enable", "probe"])
    writeFileSync(join(bench.home, "extensions", "probe", "worker.mjs"), handler("return 2"))
    expect(await list()).toMatchObject([{ state: "changed" }])
    await bench.run(["extension", "add", folder])
    expect(await list()).toMatchObject([{ state: "enabled" }])
    writeFileSync(join(folder, "worker.mjs"), handler("return 3"))
    await bench.run(["extension", "add", folder])
    expect(await list()).toMatchObject([{ state: "changed" }])
  })

  test.runIf(sandboxIsHere)("a linked one is read again when it changes, unless it asks for more", async () => {
    const folder = extension(handler("return 'first'"))
    await bench.run(["extension", "add", folder, "--link"])
    await bench.run(["extension", "enable", "probe"])
    expect((await call("--yes")).stdout).toContain("first")
    writeFileSync(join(folder, "worker.mjs"), handler("return 'second'"))
    expect((await call("--yes")).stdout).toContain("second")
    extension(handler("return 'third'"), { calls: ["write"], requires: { fs: { write: ["{workspace}/**"] } } })
    expect(await list()).toMatchObject([{ state: "changed" }])
    expect((await call("--yes")).code).toBe(2)
  })

  test.each([
    ["no manifest", (folder: string) => rmSync(join(folder, "manifest.json")), "manifest.json"],
    ["a broken manifest", (folder: string) => writeFileSync(join(folder, "manifest.json"), "{"), "no JSON"],
    ["no worker", (folder: string) => rmSync(join(folder, "worker.mjs")), "worker"],
    ["a link", (folder: string) => symlinkSync("/etc/passwd", join(folder, "x")), "no regular file"],
    ["an id that is taken by us", (folder: string) => edit(folder, { id: "mcp" }), "id"],
    ["an id that leads elsewhere", (folder: string) => edit(folder, { id: "../x" }), "id"],
    ["a worker elsewhere", (folder: string) => edit(folder, { worker: "../x.mjs" }), "worker"],
    ["a permission that nobody knows", (folder: string) => edit(folder, { permissions: ["all"] }), "permissions"],
    ["tools without the permission", (folder: string) => edit(folder, { permissions: [] }), "tools:register"],
    ["commands", (folder: string) => edit(folder, { requires: { shell: [{ cmd: "*" }] } }), "shell"],
    ["the same tool twice", (folder: string) => edit(folder, { tools: [tool("a"), tool("a")] }), "twice"],
    [
      "a schema that is none",
      (folder: string) => edit(folder, { tools: [{ ...tool("a"), parameters: { type: "array" } }] }),
      "parameters",
    ],
  ])("%s is refused, and nothing is copied", async (_name, spoil, words) => {
    const folder = extension(handler("return 1"))
    spoil(folder)
    expect(await bench.run(["extension", "add", folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    })
    expect(existsSync(join(bench.home, "extensions"))).toBe(false)
  })

  test("the sample can be added", async () => {
    cpSync(sample, join(base, "copy"), { recursive: true })
    expect(await bench.run(["extension", "add", join(base, "copy")])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("todo-finder:list"),
    })
    expect((await bench.run(["extension", "enable", "nobody"])).code).toBe(2)
  })
})

const tool = (id: string) => ({ id, name: id, description: id, parameters: { type: "object" } })

function edit(folder: string, change: object): void {
  const file = join(folder, "manifest.json")
  const manifest = { id: "probe", name: "probe", version: "1", permissions: ["tools:register"], tools: [tool("run")] }
  writeFileSync(file, JSON.stringify({ ...manifest, ...change }))
}
