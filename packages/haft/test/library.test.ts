import { existsSync } from "node:fs"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { defineManifest, defineTool, type Envelope, type SessionEvent, type ToolDefinition } from "@haft/contract"
import type { Detector } from "@haft/guard"
import { scriptedPerson } from "@haft/testkit"
import { afterEach, beforeEach, expect, expectTypeOf, test } from "vitest"
import * as z from "zod"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld

beforeEach(async () => {
  world = await libraryWorld({ "src/a.ts": "const a = 1 // TODO\n", ".env": "KEY=abc\n", "README.md": "# Read me\n" })
})

afterEach(() => world.remove())

function failed(envelope: Envelope) {
  if (envelope.type !== "error") throw new Error(`expected an error, got ${JSON.stringify(envelope.data)}`)
  return { code: envelope.metadata.error_code, text: envelope.error_text, hint: envelope.metadata.hint, envelope }
}

test("the data of a built-in tool is typed by its id", async () => {
  const session = await (await world.haft()).openSession()
  const envelope = await session.call("grep", { pattern: "TODO" })
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  expectTypeOf(envelope.data.matches[0]!.line).toEqualTypeOf<number>()
  expect(envelope.data.matches[0]?.path).toBe("src/a.ts")
})

test("the functions of a Haft work without it", async () => {
  const { openSession, agent, forkSession, rewindSession, undo, store, close } = await world.haft()
  const session = await openSession()
  expect((await session.call("read", { file_path: "README.md" })).type).toBe("output")
  expect((await (await store()).sessions()).map(({ id }) => id)).toEqual([session.id])
  expect(() => agent({ model: "script:none" })).not.toThrow()
  await expect(forkSession("sess_none")).rejects.toThrow("sess_none")
  await expect(rewindSession("sess_none", "turn_none")).rejects.toThrow("sess_none")
  await expect(undo("call_none")).rejects.toThrow("call_none")
  await close()
  await expect(openSession()).rejects.toThrow("it is closed")
})

function data(envelope: Envelope): Record<string, unknown> {
  if (envelope.type !== "output") throw new Error(envelope.error_text)
  return envelope.data as Record<string, unknown>
}

test("[C2-10] [C2-11] every call ends in an envelope with its duration, whatever happens", async () => {
  const session = await (await world.haft()).openSession()
  for (const [name, args] of [
    ["read", { file_path: "src/a.ts" }],
    ["nothing", {}],
    ["read", {}],
    ["read", "no object"],
    ["read", { file_path: "missing" }],
    ["write", { file_path: "b", content: "" }],
  ] as const) {
    const envelope = await session.call(name, args)
    expect(envelope.metadata.duration_ms).toBeGreaterThanOrEqual(0)
    expect(envelope.metadata.session_id).toBe(session.id)
    expect(envelope.metadata.call_id).toMatch(/^call_/)
    expect(["output", "error"]).toContain(envelope.type)
  }
})

test.each([[undefined], [null], [5], [{}], [["read"]], [Symbol("read")]])(
  "a tool name that is no string is invalid, and the refusal is recorded: %s",
  async (name) => {
    const session = await (await world.haft()).openSession()
    const { code, envelope } = failed(await session.call(name as unknown as string, {}))
    expect(code).toBe("invalid_args")
    expect(envelope.metadata).not.toHaveProperty("unrecorded")
    await expect(session.explain(name as unknown as string, {})).rejects.toMatchObject({ code: "invalid_args" })
  },
)

test("an unknown format of tools is invalid and the known ones are named", async () => {
  const session = await (await world.haft()).openSession()
  expect(session.tools({ format: "gemini" })[0]).toMatchObject({ parametersJsonSchema: { type: "object" } })
  expect(() => session.tools({ format: "yaml" as "haft" })).toThrow(
    expect.objectContaining({ code: "invalid_args", hint: expect.stringContaining("openai-responses-strict") }),
  )
})

test("arguments that are no JSON at all end in an envelope too, and the refusal is recorded", async () => {
  const haft = await world.haft()
  const session = await haft.openSession()
  const circle: Record<string, unknown> = {}
  circle.file_path = circle
  const trap = {
    get file_path() {
      throw new Error("boom")
    },
  }
  for (const hostile of [circle, trap, { file_path: 1n }, { file_path: Symbol("x") }]) {
    const envelope: Envelope = await session.call("read" as string, hostile)
    expect(envelope.type).toBe("error")
    expect(envelope.metadata).not.toHaveProperty("unrecorded")
  }
  expect(await (await haft.store()).calls(session.id)).toHaveLength(4)
})

test("[C2-8] an unknown tool and an unknown key name what was probably meant", async () => {
  const session = await (await world.haft()).openSession()
  expect(failed(await session.call("raed", {}))).toMatchObject({
    code: "not_found",
    hint: expect.stringContaining('"read"'),
  })
  // @ts-expect-error the ids and arguments of built-in tools are typed
  expect(failed(await session.call("read", { filepath: "x" })).hint).toContain('"file_path"')
})

test("a tool is found by its full id and by its name on the wire", async () => {
  const session = await (await world.haft()).openSession()
  for (const name of ["read", "builtin:read", "builtin__read"]) {
    expect(data(await session.call(name, { file_path: "README.md" })).content).toBe("# Read me\n")
  }
})

test("[C2-54] [C2-63] what no rule settles asks; with nobody there it is a deny whose details name the rule", async () => {
  const session = await (await world.haft()).openSession()
  const { code, hint, envelope } = failed(await session.call("write", { file_path: "x.ts", content: "y" }))
  expect(code).toBe("denied")
  expect(hint).toBe("Do it in a way that needs no permission, or go on without it and say what you could not do")
  expect(envelope.metadata.details).toMatchObject({
    ladder: { verdict: "deny", flag: "--allow 'fs.write(x.ts)'" },
    permission: "fs.write",
    pattern: "x.ts",
    rule: "fs.write(x.ts)",
  })
  await expect(readFile(world.path("x.ts"))).rejects.toThrow()
})

test("the flag that a refusal names really allows the call", async () => {
  const session = await (
    await world.haft({ rules: [{ permission: "fs.write", pattern: "x.ts", action: "allow" }] })
  ).openSession()
  expect(data(await session.call("write", { file_path: "x.ts", content: "y" }))).toMatchObject({ created: true })
  expect(await readFile(world.path("x.ts"), "utf8")).toBe("y")
})

test("[C2-69] a person answers once: this call runs and the next asks again", async () => {
  const person = scriptedPerson({ asks: [{ answer: "once" }, { answer: "reject", reason: "not there" }] })
  const session = await (await world.haft({ person })).openSession()
  expect((await session.call("write", { file_path: "x", content: "1" })).type).toBe("output")
  const { code, text } = failed(await session.call("write", { file_path: "y", content: "1" }))
  expect(code).toBe("denied")
  expect(text).toContain("a person rejected it: not there")
  expect(person.asked).toHaveLength(2)
  expect(person.asked[1]?.askedBefore).toContain("file_path")
})

test("[C2-59] [C2-60] an answer for the session is a rule at once, and stays on the session's row", async () => {
  const person = scriptedPerson({
    asks: [{ answer: "session", rule: { permission: "fs.write", pattern: "gen/**", action: "allow" } }],
  })
  const haft = await world.haft({ person })
  const session = await haft.openSession()
  await session.call("write", { file_path: "gen/a", content: "1" })
  expect((await session.call("write", { file_path: "gen/b", content: "1" })).type).toBe("output")
  expect(person.asked).toHaveLength(1)
  await session.detach()
  const record = await (await haft.store()).session(session.id)
  expect(record?.permissions).toEqual([
    { permission: "fs.write", pattern: "gen/**", action: "allow", source: { scope: "session" } },
  ])
  const again = await haft.openSession({ id: session.id })
  expect((await again.call("write", { file_path: "gen/c", content: "1" })).type).toBe("output")
})

test("a rule in an answer must be about the call; otherwise the call is refused and nothing is kept", async () => {
  const person = scriptedPerson({
    asks: [{ answer: "session", rule: { permission: "fs.write", pattern: "elsewhere/**", action: "allow" } }],
  })
  const haft = await world.haft({ person })
  const session = await haft.openSession()
  const { code, text } = failed(await session.call("write", { file_path: "gen/a", content: "1" }))
  expect(code).toBe("denied")
  expect(text).toContain("Cannot save the rule fs.write(elsewhere/**): it does not cover gen/a")
  await session.detach()
  expect((await (await haft.store()).session(session.id))?.permissions).toEqual([])
})

test("[C2-61] an answer for the project is kept elsewhere than the session's rules", async () => {
  const saved: unknown[] = []
  const person = scriptedPerson({ asks: [{ answer: "project" }] })
  const haft = await world.haft({
    person,
    hooks: {
      saveProjectRule: async (rule) => {
        saved.push(rule)
        return { ...rule, source: { scope: "local" } }
      },
    },
  })
  const session = await haft.openSession()
  await session.call("write", { file_path: "src/b.ts", content: "1" })
  expect(saved).toHaveLength(1)
  expect((await session.call("write", { file_path: "src/b.ts", content: "2" })).type).toBe("output")
  expect((await (await haft.store()).session(session.id))?.permissions).toEqual([])
})

test.each(["project", "session"] as const)(
  "the same answer to two questions that are open at once is kept once: %s",
  async (answer) => {
    const saved: unknown[] = []
    const open: (() => void)[] = []
    const person = {
      ...scriptedPerson({ asks: [] }),
      // Nobody answers before both were asked.
      ask: () =>
        new Promise<{ answer: typeof answer }>((resolve) => {
          open.push(() => resolve({ answer }))
          if (open.length === 2) for (const reply of open) reply()
        }),
    }
    const haft = await world.haft({
      person,
      hooks: {
        saveProjectRule: async (rule) => {
          await new Promise((resolve) => setImmediate(resolve))
          saved.push(rule)
          return { ...rule, source: { scope: "local" } }
        },
      },
    })
    const session = await haft.openSession()
    const both = ["src/b.ts", "src/c.ts"].map((file_path) => session.call("write", { file_path, content: "1" }))
    for (const envelope of await Promise.all(both)) expect(envelope.type).toBe("output")
    const kept = (await (await haft.store()).session(session.id))?.permissions
    expect(answer === "project" ? saved : kept).toHaveLength(1)
  },
)

test("edited arguments are judged from the start: an edit cannot smuggle in a denied path", async () => {
  const person = scriptedPerson({
    asks: [{ answer: "edit", arguments: { file_path: "../outside", content: "x" } }],
  })
  const session = await (await world.haft({ person })).openSession()
  expect(failed(await session.call("write", { file_path: "x", content: "1" })).code).toBe("denied")
})

test.each([
  ["an unknown key", { file_path: "z", content: "x", mode: 1 }, '"mode" is not an argument of this tool'],
  ["a wrong type", { file_path: "z", content: 5 }, '"content" must be a string, not 5'],
  ["a missing key", { file_path: "z" }, '"content" is missing: a string'],
  ["no object", ["z"], "the arguments must be an object, not a list"],
])("edited arguments are validated again: %s", async (_name, edited, reason) => {
  const person = scriptedPerson({ asks: [{ answer: "edit", arguments: edited }, { answer: "once" }] })
  const session = await (await world.haft({ person })).openSession()
  const { code, text } = failed(await session.call("write", { file_path: "x", content: "1" }))
  expect({ code, text }).toEqual({ code: "invalid_args", text: `Cannot call "write": ${reason}` })
  expect(person.asked).toHaveLength(1)
  await expect(readFile(world.path("z"))).rejects.toThrow()
  await expect(readFile(world.path("x"))).rejects.toThrow()
})

test("edited arguments are frozen at every depth: what was answered is what runs", async () => {
  const edited = { list: [{ name: "edited" }] }
  let given: unknown
  const asking = listTool(async (input) => {
    given = input
    return {}
  })
  const person = scriptedPerson({
    asks: [
      { answer: "edit", arguments: edited },
      ({ arguments: shown }) => {
        // Neither the person who answers nor the one who sent the edit can change it afterwards.
        edited.list[0]!.name = "changed later"
        expect(() => ((shown as typeof edited).list[0]!.name = "changed by the person")).toThrow(TypeError)
        return { answer: "once" }
      },
    ],
  })
  const haft = await world.haft({ person, tools: [asking], rules: [{ permission: "lists", action: "ask" }] })
  await (await haft.openSession()).call("lists", { list: [] })
  expect(given).toEqual({ list: [{ name: "edited" }] })
  expect(Object.isFrozen(given)).toBe(true)
  expect(Object.isFrozen((given as typeof edited).list)).toBe(true)
  expect(Object.isFrozen((given as typeof edited).list[0])).toBe(true)
})

function listTool(execute: (input: unknown) => Promise<object>): ToolDefinition {
  const manifest = defineManifest({
    id: "lists",
    title: "Lists",
    description: "Takes a list. Use in a test.",
    input: z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) }),
    output: z.object({}),
    requires: {},
    kind: "other",
    tier: "read-only",
    limit: { unit: "bytes", max: 1000, past: "paged" },
    retry: "safe",
    timeoutMs: 1000,
    effects: () => [],
  })
  return defineTool({
    manifest,
    messages: {
      en: { title: "Lists", loading: "Lists", done: "Listed" },
      "zh-CN": { title: "Lists", loading: "Lists", done: "Listed" },
    },
    present: () => [{ type: "text", text: "done" }],
    execute: async () => ({ execute: execute as never }),
    examples: async () => ({ examples: [] }),
  }) as unknown as ToolDefinition
}

test("edited arguments run as they were edited", async () => {
  const person = scriptedPerson({
    asks: [{ answer: "edit", arguments: { file_path: "z", content: "edited" } }, { answer: "once" }],
  })
  const session = await (await world.haft({ person })).openSession()
  expect(data(await session.call("write", { file_path: "x", content: "1" })).file_path).toBe("z")
  expect(await readFile(world.path("z"), "utf8")).toBe("edited")
})

test("accepting edits settles later edits in the workspace, and protected names still ask", async () => {
  const person = scriptedPerson({ asks: [{ answer: "accept-edits" }, { answer: "reject" }] })
  const session = await (await world.haft({ person })).openSession()
  await session.call("write", { file_path: "x", content: "1" })
  expect((await session.call("write", { file_path: "y", content: "1" })).type).toBe("output")
  expect(failed(await session.call("write", { file_path: ".git/config", content: "1" })).code).toBe("denied")
  expect(person.asked).toHaveLength(2)
  expect(person.asked[1]?.proposal).toBeUndefined()
})

test("[C2-58] a manifest that denies everything but reading is a list to which no rule and no answer adds", async () => {
  const session = await (
    await world.haft({
      guard: {
        manifest: {
          rules: [
            { permission: "*", action: "deny" },
            { permission: "read", action: "allow" },
          ],
        },
      },
      rules: [
        { permission: "bash", action: "allow" },
        { permission: "bash", action: "allow", source: { scope: "session" } },
      ],
    })
  ).openSession()
  expect((await session.call("read", { file_path: "src/a.ts" })).type).toBe("output")
  const envelope = await session.call("bash", { command: "touch q" }, { answer: "once" })
  expect(envelope.metadata.error_code).toBe("denied")
  expect(JSON.stringify(envelope.metadata.details)).toContain('"rung":"manifest","verdict":"deny"')
  expect(existsSync(world.path("q"))).toBe(false)
})

test("[C2-58] a deny of the manifest cannot be lifted by a rule or an answer", async () => {
  const session = await (
    await world.haft({
      guard: { manifest: { rules: [{ permission: "fs.read", pattern: "src/**", action: "deny" }] } },
      rules: [{ permission: "fs.read", pattern: "src/a.ts", action: "allow" }],
      person: scriptedPerson({ asks: [{ answer: "once" }] }),
    })
  ).openSession()
  const { code, envelope } = failed(await session.call("read", { file_path: "src/a.ts" }))
  expect(code).toBe("denied")
  expect(JSON.stringify(envelope.metadata.details)).toContain('"rung":"manifest","verdict":"deny"')
})

test("secrets are denied to read, and a search neither shows nor names them", async () => {
  const session = await (await world.haft()).openSession()
  expect(failed(await session.call("read", { file_path: ".env" })).code).toBe("denied")
  const found = data(await session.call("grep", { pattern: "abc" }))
  expect(found).toMatchObject({ match_count: 0, skipped: { denied: 1 } })
  expect(JSON.stringify(found)).not.toContain(".env")
  expect(JSON.stringify(data(await session.call("glob", { pattern: "**/*" })))).not.toContain(".env")
  expect(JSON.stringify(data(await session.call("ls", {})))).not.toContain(".env")
})

test("a link out of the workspace is refused by every tool that could follow it", async () => {
  await mkdir(join(world.root, "..", "outside"))
  await writeFile(join(world.root, "..", "outside", "secret"), "secret")
  await symlink(join(world.root, "..", "outside"), world.path("link"))
  const session = await (await world.haft({ mode: "accept-edits" })).openSession()
  for (const [tool, args] of [
    ["read", { file_path: "link/secret" }],
    ["write", { file_path: "link/new", content: "x" }],
    ["edit", { file_path: "link/secret", old_string: "s", new_string: "t" }],
    ["ls", { path: "link" }],
    ["grep", { pattern: "secret", path: "link" }],
    ["glob", { pattern: "*", path: "link" }],
  ] as const) {
    expect([tool, failed(await session.call(tool, args)).code]).toEqual([tool, "denied"])
  }
  await expect(readFile(join(world.root, "..", "outside", "new"))).rejects.toThrow()
})

test("[C2-45] [C2-47] a truncated output is whole in a file that read opens and that is gone after the session", async () => {
  await writeFile(world.path("many.txt"), "needle\n".repeat(500))
  const haft = await world.haft()
  const session = await haft.openSession()
  const envelope = await session.call("grep", { pattern: "needle" })
  expect(envelope.metadata.truncated).toBe(true)
  expect((data(envelope).matches as unknown[]).length).toBe(200)
  expect(data(envelope)).toMatchObject({ match_count: 500, head: expect.stringContaining("needle") })
  const path = envelope.metadata.output_path ?? ""
  const whole = data(await session.call("read", { file_path: path }))
  expect(String(whole.content).match(/needle/g)?.length).toBe(500)
  const other = await haft.openSession()
  expect(failed(await other.call("read", { file_path: path })).code).toBe("denied")
  await session.close()
  await expect(readFile(path)).rejects.toThrow()
})

test("[C2-12] an aborted call ends as cancelled, before and while it runs", async () => {
  const session = await (await world.haft({ tools: [waiting] })).openSession()
  const before = new AbortController()
  before.abort()
  expect(failed(await session.call("read", { file_path: "README.md" }, { signal: before.signal })).code).toBe(
    "cancelled",
  )
  const during = new AbortController()
  const call = session.call("waiting", {}, { signal: during.signal, answer: "once" })
  setTimeout(() => during.abort(), 20)
  expect(failed(await call).code).toBe("cancelled")
})

test("[C2-9] a tool that declares nothing has no port at run time either", async () => {
  const session = await (await world.haft({ tools: [waiting] })).openSession()
  const call = session.call("waiting", { peek: true }, { answer: "once" })
  expect(data(await call).ports).toEqual([])
})

test("a tool that lies about its output is reported as a defect, and so is one that throws", async () => {
  const lying = small("lying", async () => ({ ports: 5 }) as never)
  const throwing = small("throwing", async () => {
    throw new TypeError("x is not a function")
  })
  const session = await (await world.haft({ tools: [lying, throwing] })).openSession()
  for (const name of ["lying", "throwing"]) {
    const { code } = failed(await session.call(name, {}, { answer: "once" }))
    expect(code).toBe("internal")
  }
})

test("[C2-13] [C2-16] adding a tool extends what the agent declares, and the host's grant still bounds it", async () => {
  const outside = small(
    "outside",
    async () => ({ ports: [] }),
    { fs: { read: ["/etc/**"] } },
    () => [{ kind: "fs.read" as const, path: "/etc/hostname" }],
  )
  const session = await (await world.haft({ tools: [outside] })).openSession()
  expect(failed(await session.call("outside", {}, { answer: "once" })).code).toBe("denied")
  const granted = await world.haft({
    tools: [outside],
    guard: { grant: { fs: { read: ["{workspace}/**", "/etc/**"] } } },
    storage: { journal: false },
  })
  const wider = await granted.openSession()
  expect((await wider.call("outside", {}, { answer: "once" })).type).toBe("output")
})

test("[C2-13] [C2-52] the commands of an agent are those of its manifest and of its tools", async () => {
  const words = small("words", async () => ({ ports: [] }), { shell: [{ cmd: "wc", args: [{ wildcard: true }] }] })
  const manifest = { requires: { shell: [{ cmd: "ls" }, { cmd: "cat", args: [{ prefix: "READ" }] }] } }
  const session = await (await world.haft({ tools: [words], guard: { manifest } })).openSession()
  const call = (command: string) => session.call("bash", { command }, { answer: "once" })
  for (const command of ["ls -la", "cat README.md", "wc README.md", "ls; cat README.md"]) {
    expect((await call(command)).type, command).toBe("output")
  }
  for (const command of ["touch zz", "cat .git/config", "ls && touch zz", "wc -l README.md", "cat README.md a"]) {
    expect(failed(await call(command)).text, command).toContain("outside what the manifest of this agent declares")
  }
})

test("[C2-51] an unknown variable in the manifest of an agent throws when a session opens", async () => {
  const haft = await world.haft({ guard: { manifest: { requires: { fs: { read: ["{foo}/**"] } } } } })
  await expect(haft.openSession()).rejects.toThrow("there is no variable {foo}")
})

test("a capability that does not exist is refused by name when the tool is registered", async () => {
  const wishing = small("wishing", async () => ({ ports: [] }), { capabilities: ["teleport" as never] })
  await expect(world.haft({ tools: [wishing] })).rejects.toThrow(
    'Cannot register tool "wishing": it requires the capability "teleport", which does not exist',
  )
})

test("[C2-67] the watchdog is given the manifest of the agent, with what its tools declare", async () => {
  const seen: unknown[] = []
  const inspect = ({ agent }: { agent: unknown }) => {
    seen.push(agent)
    return { verdict: "allow" } as const
  }
  const rule = { action: "deny", permission: "fs.write", pattern: "dist/**" } as const
  const manifest = { requires: { fs: { read: ["/opt/data/**"] } }, rules: [rule] }
  const session = await (
    await world.haft({ guard: { detectors: [{ id: "x", about: "x", inspect }], manifest } })
  ).openSession()
  await session.call("read", { file_path: "README.md" })
  expect(seen).toEqual([
    {
      requires: expect.objectContaining({
        fs: expect.objectContaining({ read: expect.arrayContaining(["/opt/data/**", "{workspace}/**"]) }),
      }),
      rules: [expect.objectContaining(rule)],
    },
  ])
})

test("[C2-1] registering an id twice fails at start, and so does an unknown variable of a manifest [C2-51]", async () => {
  await expect(world.haft({ tools: [small("read", async () => ({ ports: [] }))] })).rejects.toThrow(
    'the id "read" is already taken',
  )
  const typo = small("typo", async () => ({ ports: [] }), { fs: { read: ["{worksapce}/**"] } })
  await expect((await world.haft({ tools: [typo] })).openSession()).rejects.toThrow("worksapce")
})

test("[C2-70] [C2-71] the watchdog comes after capability, can refuse, and can never permit", async () => {
  const seen: string[] = []
  const detector = {
    id: "sees-all",
    about: "test",
    inspect: (request: { tool: string }) => {
      seen.push(request.tool)
      return { verdict: "deny", reason: "not today" } as const
    },
  }
  const session = await (await world.haft({ guard: { detectors: [detector] } })).openSession()
  expect(failed(await session.call("read", { file_path: "/etc/passwd" })).code).toBe("denied")
  expect(seen).toEqual([])
  expect(failed(await session.call("read", { file_path: "README.md" })).text).toContain("not today")
  expect(seen).toEqual(["read"])
})

test("a host replaces any built-in detector by its id", async () => {
  const hidden = { file_path: "a\u200b.txt" }
  const explained = async (...detectors: readonly Detector[]) => {
    const session = await (await world.haft({ guard: { detectors } })).openSession()
    const { rungs } = (await session.explain("read", hidden)).ladder
    return rungs.find(({ rung }) => rung === "watchdog")?.verdict
  }
  expect(await explained()).toBe("ask")
  const inspect = () => ({ verdict: "allow" }) as const
  expect(await explained({ id: "hidden-characters", about: "test", inspect })).toBe("pass")
  expect(await explained({ id: "another", about: "test", inspect })).toBe("ask")
})

test("a detector that throws counts as ask", async () => {
  const detector = {
    id: "broken",
    about: "test",
    inspect: () => {
      throw new Error("broken")
    },
  }
  const session = await (await world.haft({ guard: { detectors: [detector] } })).openSession()
  expect(failed(await session.call("read", { file_path: "README.md" })).code).toBe("denied")
})

test("what the watchdog asks about is settled by no rule: none is named and none is offered", async () => {
  const detector = { id: "asks", about: "test", inspect: () => ({ verdict: "ask", reason: "look at this" }) as const }
  const alone = await (await world.haft({ guard: { detectors: [detector] } })).openSession()
  const refused = failed(await alone.call("write", { file_path: "x", content: "y" }))
  expect(refused.hint).not.toContain("--allow")
  expect((await alone.explain("write", { file_path: "x", content: "y" })).ladder).not.toHaveProperty("flag")

  const person = scriptedPerson({ asks: [{ answer: "session" }] })
  const session = await (await world.haft({ guard: { detectors: [detector] }, person })).openSession()
  expect((await session.call("write", { file_path: "x", content: "y" })).type).toBe("output")
  expect(person.asked[0]).not.toHaveProperty("proposal")
})

test("a question that was given up is cancelled, not rejected by a person", async () => {
  const outer = new AbortController()
  const person = {
    ask: (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_, fail) => {
        signal.addEventListener("abort", () => fail(new Error("the keyboard is closed")))
        outer.abort()
      }),
    question: async () => [],
  }
  const session = await (await world.haft({ person })).openSession()
  const envelope = await session.call("write", { file_path: "x", content: "y" }, { signal: outer.signal })
  expect(failed(envelope).code).toBe("cancelled")
})

test("a session is not opened under other roots, where its rules would mean other files", async () => {
  const session = await (await world.haft()).openSession()
  await session.call("todo", { todos: [] })
  await session.detach()
  await mkdir(world.path("other"))
  const elsewhere = await world.haft({ roots: [world.path("other")] })
  await expect(elsewhere.openSession({ id: session.id })).rejects.toMatchObject({
    code: "conflict",
    hint: expect.stringContaining(`--root ${world.root}`),
  })
})

test("[C2-186] plan mode writes nothing, whatever is allowed", async () => {
  const session = await (
    await world.haft({ mode: "plan", rules: [{ permission: "fs.write", pattern: "**", action: "allow" }] })
  ).openSession()
  expect(failed(await session.call("write", { file_path: "x", content: "y" }, { answer: "once" })).code).toBe("denied")
  expect((await session.call("read", { file_path: "README.md" })).type).toBe("output")
})

test("undo brings back the exact bytes after write and edit, and refuses after a foreign change", async () => {
  const haft = await world.haft({ mode: "accept-edits" })
  const session = await haft.openSession()
  await session.call("edit", { file_path: "src/a.ts", old_string: "1", new_string: "2" })
  await session.call("write", { file_path: "README.md", content: "new" })
  await haft.undo()
  expect(await readFile(world.path("README.md"), "utf8")).toBe("# Read me\n")
  await haft.undo()
  expect(await readFile(world.path("src/a.ts"), "utf8")).toBe("const a = 1 // TODO\n")
  const call = await session.call("write", { file_path: "made", content: "x" })
  await writeFile(world.path("made"), "foreign")
  await expect(haft.undo(call.metadata.call_id)).rejects.toMatchObject({ code: "conflict" })
  expect(await readFile(world.path("made"), "utf8")).toBe("foreign")
})

test("a call whose record cannot be written still returns its result, and says that it is unrecorded", async () => {
  await mkdir(world.home, { recursive: true })
  await writeFile(join(world.home, "journal.db"), "this is no database, and it must not be overwritten")
  const session = await (await world.haft()).openSession()
  const envelope = await session.call("read", { file_path: "README.md" })
  expect(data(envelope).content).toBe("# Read me\n")
  expect(envelope.metadata.unrecorded).toContain("journal.db")
  expect(await readFile(join(world.home, "journal.db"), "utf8")).toContain("must not be overwritten")
})

test("a tool that must not run twice does not run at all when its attempt cannot be recorded", async () => {
  await mkdir(world.home, { recursive: true })
  await writeFile(join(world.home, "journal.db"), "no database")
  const session = await (await world.haft({ mode: "accept-edits" })).openSession()
  expect(failed(await session.call("write", { file_path: "x", content: "y" })).code).toBe("backend")
  await expect(readFile(world.path("x"))).rejects.toThrow()
})

test("events tell the story of a call in order", async () => {
  const events: SessionEvent[] = []
  const session = await (await world.haft({ hooks: { onEvent: (event) => events.push(event) } })).openSession()
  await session.call("todo", { todos: [{ content: "one", status: "pending" }] })
  expect(events.map((event) => event.type)).toEqual(["tool-call", "tool-start", "todo", "tool-end"])
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4])
})

test("a session has one owner at a time", async () => {
  const first = await world.haft()
  const session = await first.openSession()
  await session.call("todo", { todos: [] })
  const second = await world.haft()
  await expect(second.openSession({ id: session.id })).rejects.toMatchObject({ code: "conflict" })
  await session.detach()
  expect((await second.openSession({ id: session.id })).id).toBe(session.id)
})

test("the string executor takes JSON and throws a ToolError", async () => {
  const session = await (await world.haft()).openSession()
  const executor = session.executor()
  expect(await executor.execute("read", '{"file_path":"README.md"}')).toContain("# Read me")
  await expect(executor.execute("read", "{")).rejects.toMatchObject({ code: "invalid_args" })
  await expect(executor.execute("read", '{"file_path":"nope"}')).rejects.toMatchObject({ code: "not_found" })
  expect(session.toolDefinitions().map((tool) => tool.name)).toContain("grep")
})

test("a model that repeats a call to no effect is stopped, and a program may repeat as it likes", async () => {
  const session = await (await world.haft({ storage: { journal: false } })).openSession()
  for (let turn = 0; turn < 10; turn++) expect((await session.call("ls", {})).type).toBe("output")
  const executor = session.executor()
  const repeat = async () => {
    for (let turn = 0; turn < 10; turn++) await executor.execute("ls", "{}")
  }
  await expect(repeat()).rejects.toMatchObject({ code: "denied" })
})

test("definitions come in every format with legal names", async () => {
  const session = await (await world.haft()).openSession()
  for (const format of ["haft", "mcp", "anthropic", "openai", "openai-responses", "gemini"] as const) {
    const tools = session.tools({ format })
    expect(tools.length).toBeGreaterThanOrEqual(8)
    expect(JSON.stringify(tools)).toContain("file_path")
  }
})

const ports = ["files", "search", "commands", "network"]

function small(
  id: string,
  execute: (
    input: { peek?: boolean | undefined },
    context: object & { signal: AbortSignal },
  ) => Promise<{ ports: string[] }>,
  requires = {},
  effects: () => readonly { kind: "fs.read"; path: string }[] = () => [],
): ToolDefinition {
  const manifest = defineManifest({
    id,
    title: id,
    description: `Test tool ${id}. Use it in tests only.`,
    input: z.strictObject({ peek: z.boolean().optional() }),
    output: z.object({ ports: z.array(z.string()), head: z.string().optional() }),
    requires,
    kind: "other",
    tier: "read-only",
    limit: { unit: "bytes", max: 1000, past: "paged" },
    retry: "safe",
    timeoutMs: 60_000,
    effects,
  })
  const words = { title: id, loading: id, done: id }
  return defineTool({
    manifest,
    messages: { en: words, "zh-CN": words },
    present: () => [{ type: "text", text: id }],
    execute: async () => ({ execute }),
    examples: async () => ({ examples: [] }),
  }) as unknown as ToolDefinition
}

const waiting = small("waiting", async ({ peek }, context) => {
  if (peek) return { ports: ports.filter((port) => port in context) }
  return new Promise((_, fail) => context.signal.addEventListener("abort", () => fail(new Error("stopped"))))
})
