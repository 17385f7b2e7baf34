import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openScript } from "@haft/agent"
import type { Question, SessionEvent } from "@haft/contract"
import { describe, expect, test, vi } from "vitest"
import { fakeServer, openWithServers } from "./mcp-world.js"
import { sandboxIsHere } from "./shell-world.js"

const once = { answer: "once" } as const

type Opened = Awaited<ReturnType<typeof openWithServers>>

const data = ({ world }: Opened, file: string) => join(world.home, "data", "mcp-fake", file)
const noted = (opened: Opened, file: string) =>
  existsSync(data(opened, file)) ? readFileSync(data(opened, file), "utf8") : ""
const textOf = (envelope: unknown) => String((envelope as { data?: { text?: string } }).data?.text)
const long = `mcp__fake__a_name_that_is_longer_than_providers_allow_${"x".repeat(40)}`

async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!what() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
}

describe.skipIf(!sandboxIsHere)("a tool of a server", () => {
  test("[C2-145] [C2-146] runs nothing before somebody trusts it, and is connected at the first call", async () => {
    await using untrusted = await openWithServers({ fake: fakeServer("ok", { trusted: false }) })
    expect(untrusted.session.toolDefinitions().filter(({ name }) => name.startsWith("mcp"))).toEqual([])
    expect((await untrusted.session.call("mcp__fake__echo", { text: "x" }, once)).metadata.error_code).toBe("not_found")
    expect(noted(untrusted, "starts")).toBe("")

    await using opened = await openWithServers({ fake: fakeServer("ok") })
    // Seen once for the pin, and not again before a call.
    expect(noted(opened, "starts")).toBe("x")
    const second = await opened.haft.openSession()
    expect(noted(opened, "starts")).toBe("x")
    expect(textOf(await second.call("mcp__fake__echo", { text: "hi" }, once))).toBe("hi")
    expect(noted(opened, "starts")).toBe("xx")
  })

  test("[C2-156] asks by default, whatever the server says of it, and in every mode", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") }, { mode: "auto" })
    const denied = await opened.session.call("mcp__fake__look", {})
    expect(denied.metadata.error_code).toBe("denied")
    const why = await opened.session.explain("mcp__fake__look", {})
    expect(JSON.stringify(why)).toContain("mode auto never answers for mcp__fake__look")
  })

  test("[C2-157] is allowed by a rule for it, or for its server unless it says that it destroys", async () => {
    const rules = [{ permission: "mcp", pattern: "server=fake", action: "allow" }] as const
    await using opened = await openWithServers({ fake: fakeServer("ok") }, { rules })
    expect((await opened.session.call("mcp__fake__echo", { text: "a" })).type).toBe("output")
    expect((await opened.session.call("mcp:fake:echo", { text: "a" })).type).toBe("output")
    expect((await opened.session.call("mcp__fake__wipe", {})).metadata.error_code).toBe("denied")

    const own = { permission: "mcp__fake__wipe", action: "allow" } as const
    const second = await (
      await opened.world.haft({ mcpServers: { fake: fakeServer("ok") }, rules: [own] })
    ).openSession()
    expect((await second.call("mcp__fake__wipe", {})).type).toBe("output")

    const deny = { permission: "mcp", action: "deny" } as const
    const third = await (
      await opened.world.haft({ mcpServers: { fake: fakeServer("ok") }, rules: [own, deny] })
    ).openSession()
    expect((await third.call("mcp__fake__wipe", {}, once)).metadata.error_code).toBe("denied")
  })

  test("[C2-156] sees neither workspace nor network nor variables that it was not given", async () => {
    process.env.MCP_TEST_SECRET = "a secret of mine"
    const fake = fakeServer("ok", { env: { GIVEN: "yes" } })
    await using opened = await openWithServers({ fake }, { files: { "mine.txt": "x" } })
    const seen = JSON.parse(textOf(await opened.session.call("mcp__fake__look", { path: opened.world.root }, once)))
    expect(seen.path).toBe("ENOENT")
    expect(seen.env).toContain("GIVEN")
    expect(seen.env).not.toContain("MCP_TEST_SECRET")
    expect(seen.net).not.toBe("connect")
    expect(seen.cwd).toBe(join(opened.world.home, "data", "mcp-fake"))
  })

  test("[C2-151] is not sent arguments that do not fit, also where only the exact check can tell", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const call = (n: unknown) => opened.session.call("mcp__fake__count", { n }, once)
    expect(textOf(await call(3))).toBe("3")
    expect(await call("many")).toMatchObject({ metadata: { error_code: "invalid_args" } })
    expect(await call(0)).toMatchObject({ metadata: { error_code: "invalid_args" } })
    expect(await call(7)).toMatchObject({
      error_text: expect.stringContaining("why"),
      metadata: { error_code: "invalid_args" },
    })
    expect(noted(opened, "calls")).toBe('count {"n":3}\n')
  })

  test("[C2-151] has a result that is cut, checked against its schema, and an error with the server's words", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const big = await opened.session.call("mcp__fake__big", {}, once)
    expect(big).toMatchObject({ type: "output", metadata: { truncated: true, output_path: expect.any(String) } })
    expect(readFileSync(big.metadata.output_path!, "utf8")).toMatch(/^begin 0123.* end$/)
    expect(await opened.session.call("mcp__fake__lie", {}, once)).toMatchObject({
      type: "error",
      metadata: { error_code: "backend" },
    })
    expect(await opened.session.call("mcp__fake__fail", {}, once)).toMatchObject({
      error_text: 'The tool "fail" of the MCP server "fake" failed: the disk is on fire',
      metadata: { error_code: "backend" },
    })
    const drawn = await opened.session.result("mcp__fake__draw", {}, once)
    expect(drawn.attachments).toEqual([{ mediaType: "image/png", data: "iVBORw0KGgo=" }])
    expect(drawn.envelope).toMatchObject({ data: { links: [{ uri: "file:///etc/passwd" }] } })
  })

  test("is left out where nothing can be checked against its schema, and an unknown dialect is read as the newest", async () => {
    await using opened = await openWithServers({ fake: fakeServer("flawed") })
    for (const flawed of ["no_such_type", "no_such_reference", "elsewhere", "bad_output"]) {
      const { metadata } = await opened.session.call(`mcp__fake__${flawed}`, {}, once)
      expect([flawed, metadata.error_code]).toEqual([flawed, "not_found"])
    }
    expect(textOf(await opened.session.call("mcp__fake__old_dialect", { n: 1 }, once))).toBe("called old_dialect")
    const wrong = await opened.session.call("mcp__fake__old_dialect", { n: "x" }, once)
    expect(wrong.metadata.error_code).toBe("invalid_args")
  })

  test("[C2-148] [C2-150] is found with tool_search where there are many, and given from then on", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const offered = () => opened.session.toolDefinitions().map(({ name }) => name)
    expect(offered().filter((name) => name.startsWith("mcp__"))).toEqual([])
    const found = await opened.session.call("tool_search", { query: "+removes" })
    expect(found).toMatchObject({ data: { matches: [{ id: "mcp__fake__wipe" }] } })
    expect(offered()).toContain("mcp__fake__wipe")
  })

  test.each([
    { search: "tool_search", words: "haft" },
    { search: "ToolSearch", words: "claw" },
  ])(
    "[C2-150] that $search found is given also when the conversation goes on in another process",
    async ({ search, words }) => {
      await using opened = await openWithServers({ fake: fakeServer("ok") })
      const file = join(opened.world.root, "script.jsonl")
      const lines = [{ query: "+removes" }, { query: "" }].map((args) => ({ calls: [{ name: search, args }] }))
      writeFileSync(
        file,
        [...lines, { text: "Found." }, { text: "Next." }].map((line) => JSON.stringify(line)).join("\n"),
      )
      const model = await openScript(file)
      const doStream = vi.spyOn(model, "doStream")
      const offered = () =>
        doStream.mock.calls.at(-1)![0].tools?.flatMap(({ name }) => (name.startsWith("mcp__") ? [name] : []))
      const dialect = words === "haft" ? {} : { dialect: words }
      const agent = opened.haft.agent({ model, ...dialect })
      for await (const event of agent.send("Find it")) void event
      const session = await agent.session()
      expect(offered()).toEqual(["mcp__fake__wipe"])
      await opened.haft.close()
      const next = await opened.world.haft({ toolset: "locked", mcpServers: { fake: fakeServer("ok") } })
      for await (const event of next.agent({ model, session, ...dialect }).send("Use it")) void event
      expect(offered()).toEqual(["mcp__fake__wipe"])
    },
  )

  test("[C2-126] is not there for a subagent whose manifest does not name it, also under a rule that allows it", async () => {
    const rules = [{ permission: "mcp", pattern: "server=fake", action: "allow" }] as const
    await using opened = await openWithServers({ fake: fakeServer("ok") }, { rules })
    const file = join(opened.world.root, "script.jsonl")
    const echo = { calls: [{ name: "mcp__fake__echo", args: { text: "x" } }] }
    const task = { calls: [{ name: "task", args: { subagent_type: "explore", prompt: "Go" } }] }
    const lines = [echo, task, { agent: "explore", ...echo }, { agent: "explore", text: "None." }, { text: "Over." }]
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"))
    const agent = opened.haft.agent({ model: `script:${file}` })
    const ended: unknown[] = []
    for await (const event of agent.send("Go")) {
      if (event.type === "tool-end" && event.tool !== "task") ended.push(event.envelope)
    }
    expect((await agent.result).text).toBe("Over.")
    expect(ended).toMatchObject([{ type: "output" }, { type: "error", metadata: { error_code: "not_found" } }])
  })

  test("[C2-147] has an id of letters, digits and _, and a wire name of at most 64 that leads back to it", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    expect(textOf(await opened.session.call("mcp__fake__dotted_name", {}, once))).toBe("dotted")
    for (const name of ["查询天气", "查询地图"]) {
      expect(textOf(await opened.session.call(`mcp:fake:${name}`, {}, once))).toBe(`called ${name}`)
    }
    await opened.session.call("tool_search", { query: `select:${long}` })
    const sent = opened.session.tools({ format: "openai" }) as { function: { name: string } }[]
    const name = sent.map((tool) => tool.function.name).find((each) => each.startsWith("mcp__fake__a_name"))!
    expect(name).toHaveLength(64)
    expect((await opened.session.call(name, {}, once)).type).toBe("output")
    expect(noted(opened, "calls")).toContain("a_name_that_is_longer")
  })

  test("tells of progress as output, and is cancelled with its call", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const giveUp = new AbortController()
    const call = opened.session.call("mcp__fake__slow", {}, { ...once, signal: giveUp.signal })
    const told = () => opened.events.some((event) => event.type === "tool-output-delta" && event.delta === "half way\n")
    await until(told)
    expect(told()).toBe(true)
    giveUp.abort()
    expect((await call).metadata.error_code).toBe("cancelled")
    await until(() => noted(opened, "cancelled") === "x")
    expect(noted(opened, "cancelled")).toBe("x")
    // The server serves on.
    expect(textOf(await opened.session.call("mcp__fake__echo", { text: "still here" }, once))).toBe("still here")
  })

  test("asks the person through the session, and gets no answer where nobody is", async () => {
    const asked: Question[] = []
    const person = {
      ask: async () => ({ answer: "once" }) as const,
      question: async (questions: readonly Question[]) => {
        asked.push(...questions)
        return [["Answer"], ["Ada"], ["36"], ["yes"]]
      },
    }
    await using opened = await openWithServers({ fake: fakeServer("ok") }, { person })
    const answer = JSON.parse(textOf(await opened.session.call("mcp__fake__ask", {})))
    expect(answer).toEqual({ action: "accept", content: { name: "Ada", age: 36, sure: true } })
    expect(asked[0]).toMatchObject({ header: "MCP fake", question: 'The MCP server "fake" asks: Who are you?' })

    await using alone = await openWithServers({ fake: fakeServer("ok") })
    expect(textOf(await alone.session.call("mcp__fake__ask", {}, once))).toContain("-32601")
    expect(
      noted(alone, "capabilities")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{}, {}])
  })

  test("reads resources and prompts under the same rules", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    expect((await opened.session.call("mcp_read", { server: "fake", uri: "fake://notes" })).metadata.error_code).toBe(
      "denied",
    )
    expect(textOf(await opened.session.call("mcp_resources", { server: "fake" }, once))).toBe(
      "resource fake://notes notes: Some notes\nprompt greet(who!)",
    )
    expect(textOf(await opened.session.call("mcp_read", { server: "fake", uri: "fake://notes" }, once))).toBe(
      "text of fake://notes",
    )
    const prompt = { server: "fake", name: "greet", arguments: { who: "Ada" } }
    expect(textOf(await opened.session.call("mcp_prompt", prompt, once))).toBe("user: Greet Ada")
  })
})

describe.skipIf(!sandboxIsHere)("trust in a server", () => {
  test("[C2-155] ends for a tool whose texts change, for others it holds, and new tools are not offered", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const { session } = opened
    expect(textOf(await session.call("mcp__fake__alter", { how: "altered" }, once))).toBe("altered")
    await session.call("mcp__fake__alter", { how: "grown" }, once)
    await session.call("mcp__fake__alter", { how: "without-fail" }, once)
    let last = await session.call("mcp__fake__echo", { text: "x" }, once)
    const end = Date.now() + 10_000
    while (last.type === "output" && Date.now() < end) last = await session.call("mcp__fake__echo", { text: "x" }, once)
    expect(last).toMatchObject({
      error_text:
        'Cannot use "echo" of the MCP server "fake": it is trusted no more, because its description changed since it was trusted',
      metadata: {
        error_code: "denied",
        details: { reason: "SERVER_CHANGED", fix: expect.stringContaining("haft mcp trust fake") },
      },
    })
    expect(textOf(await session.call("mcp__fake__count", { n: 2 }, once))).toBe("2")
    expect((await session.call("mcp__fake__extra", {}, once)).metadata.error_code).toBe("not_found")
    expect((await session.call("mcp__fake__fail", {}, once)).metadata.error_code).toBe("not_found")
  })

  test("[C2-155] holds for a turn: it keeps the list of tools that it began with, and the next one has the new list", async () => {
    const rules = [{ permission: "mcp", pattern: "server=fake", action: "allow" }] as const
    await using opened = await openWithServers({ fake: fakeServer("ok") }, { rules })
    const call = (name: string, args: object) => ({ calls: [{ name, args }] })
    const lines = [
      call("tool_search", { query: "select:mcp__fake__fail" }),
      call("mcp__fake__alter", { how: "without-fail" }),
      call("mcp__fake__fail", {}),
      { text: "It is gone." },
      { text: "So it is." },
    ]
    const file = join(opened.world.root, "script.jsonl")
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"))
    const script = await openScript(file)
    const offered: boolean[] = []
    const model = {
      ...{ specificationVersion: "v3" as const, provider: "script", modelId: file, supportedUrls: {} },
      async doStream(options: Parameters<typeof script.doStream>[0]) {
        // Time for the server's notice to be taken in.
        if (offered.length === 2) await new Promise((resolve) => setTimeout(resolve, 500))
        offered.push(options.tools?.some(({ name }) => name === "mcp__fake__fail") ?? false)
        return script.doStream(options)
      },
    }
    const agent = opened.haft.agent({ model })
    const events: SessionEvent[] = []
    for await (const event of agent.send("Break it")) events.push(event)
    expect((await agent.result).text).toBe("It is gone.")
    expect(offered).toEqual([false, true, true, true])
    expect(events.filter((event) => event.type === "tool-end").at(-1)).toMatchObject({
      tool: "mcp__fake__fail",
      envelope: {
        error_text: expect.stringContaining('"fail" of the MCP server "fake": the server has it no more'),
        metadata: { error_code: "unavailable" },
      },
    })
    for await (const event of agent.send("Still there?")) events.push(event)
    expect(offered.at(-1)).toBe(false)
  })

  test("ends for a server whose command stands for another program than when it was trusted", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const file = join(opened.world.home, "mcp", "seen.json")
    const seen = JSON.parse(readFileSync(file, "utf8"))
    expect(seen.servers[0].launch.program).toMatch(/\/node$/)
    seen.servers[0].launch.program = "/opt/trusted/bin/node"
    writeFileSync(file, JSON.stringify(seen))
    const session = await (await opened.world.haft({ mcpServers: { fake: fakeServer("ok") } })).openSession()
    expect(await session.call("mcp__fake__echo", { text: "x" }, once)).toMatchObject({
      error_text: expect.stringMatching(
        /its program was "\/opt\/trusted\/bin\/node" and is now ".*" since it was trusted/,
      ),
      metadata: { error_code: "denied" },
    })
    expect(noted(opened, "starts"), "it ran for the look at it, and not again").toBe("x")
  })

  test("ends for all of a server whose command line changes", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const other = await opened.world.haft({
      mcpServers: { fake: fakeServer("other") },
      hooks: { onEvent: (event) => opened.events.push(event) },
    })
    const session = await other.openSession()
    expect((await session.call("mcp__fake__echo", { text: "x" }, once)).metadata.error_code).toBe("not_found")
    expect(opened.errors().join()).toMatch(/its command line was ".* ok" and is now ".* other"; it is trusted no more/)
    expect(noted(opened, "starts")).toBe("x")
  })
})

test.skipIf(!sandboxIsHere)(
  "of two servers with a tool of one id the first brings its tools, and the session says so",
  async () => {
    await using opened = await openWithServers({ fake: fakeServer("twin"), fake__twin: fakeServer("ok") })
    expect((await opened.session.call("mcp__fake__twin__echo", {}, once)).type).toBe("output")
    expect(noted(opened, "calls")).toBe("twin__echo {}\n")
    const why = /^The MCP server "fake__twin" brings no tools: .*the id "mcp__fake__twin__echo" is already taken/
    expect(opened.errors()).toEqual([expect.stringMatching(why)])
  },
)

test.skipIf(!sandboxIsHere)("why a server brings no tools is told with the first message that is sent", async () => {
  await using opened = await openWithServers({ fake: fakeServer("exit") })
  const file = join(opened.world.root, "script.jsonl")
  writeFileSync(file, '{"text": "Hello."}')
  const agent = opened.haft.agent({ model: `script:${file}` })
  await expect(async () => {
    for await (const event of agent.send(" ")) void event
  }).rejects.toThrow("empty message")
  const told: string[] = []
  for await (const event of agent.send("Hi")) if (event.type === "error") told.push(event.message)
  expect(told).toEqual([expect.stringContaining("it ended with code 3")])
})

describe.skipIf(!sandboxIsHere)("a server that misbehaves", () => {
  const failing: readonly (readonly [string, RegExp])[] = [
    ["banner", /it printed "Listening on stdio, have fun!" to its standard output/],
    ["exit", /it ended with code 3 \("Error: no license key"\)/],
    ["endless", /it sent a message of more than 16777216 bytes/],
    ["flood", /it floods: it sent more than 2000 messages a second/],
  ]
  test.each(failing)(
    "%s at its start is an error that says so, and the session opens all the same",
    async (mode, words) => {
      await using opened = await openWithServers({ fake: fakeServer(mode) })
      expect(opened.errors().join()).toMatch(words)
      expect((await opened.session.call("todo", { todos: [] })).type).toBe("output")
    },
  )

  test("hangs at its start for no longer than it may", async () => {
    await using opened = await openWithServers({ fake: fakeServer("hang", { startTimeoutMs: 2500 }) })
    expect(opened.errors().join()).toMatch(
      /did not answer within 2500 ms of its start; the last that it wrote to standard error: "waiting for a database/,
    )
  })

  test("ends at a question of the new era: it is asked in the old way", async () => {
    await using opened = await openWithServers({ fake: fakeServer("strict") })
    expect(opened.errors()).toEqual([])
    expect(textOf(await opened.session.call("mcp__fake__echo", { text: "old" }, once))).toBe("old")
    // Once for each era when it was seen, and once for the call: the era is known then.
    expect(noted(opened, "starts")).toBe("xxx")
  })

  test("floods its standard error: that is read and thrown away", async () => {
    await using opened = await openWithServers({ fake: fakeServer("noisy") })
    expect(textOf(await opened.session.call("mcp__fake__echo", { text: "quiet" }, once))).toBe("quiet")
  })

  test("[C2-154] dies in the middle of a call: that call and the next say so, and it comes back by itself", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    const died = await opened.session.call("mcp__fake__die", {}, once)
    expect(died).toMatchObject({
      error_text: expect.stringContaining('MCP server "fake": it ended with code 3 ("Error: out of memory")'),
      metadata: { error_code: "backend" },
    })
    const started = Date.now()
    const next = await opened.session.call("mcp__fake__echo", { text: "x" }, once)
    expect(next).toMatchObject({
      error_text: expect.stringContaining('"fake": it is not connected'),
      metadata: { error_code: "unavailable" },
    })
    expect(Date.now() - started).toBeLessThan(900)
    let back = next
    while (back.type === "error" && Date.now() - started < 15_000) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      back = await opened.session.call("mcp__fake__echo", { text: "x" }, once)
    }
    expect(textOf(back)).toBe("x")
    expect(Date.now() - started).toBeGreaterThan(900)
  })

  const steps: readonly (readonly [string, string, string])[] = [
    ["refuse", "it answers with an error: path: Required", "Change the arguments as it says, or go on without it"],
    ["die", 'it ended with code 3 ("Error: out of memory")', "Try again in some seconds, or go on without it"],
    ["huge", "it sent a message of more than 16777216 bytes", "Ask it for less, or go on without it"],
  ]
  test.each(steps)("%s in a call gives the model a next step that fits", async (tool, words, hint) => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    expect(await opened.session.call(`mcp__fake__${tool}`, {}, once)).toMatchObject({
      error_text: `Cannot use the MCP server "fake": ${words}`,
      metadata: { error_code: "backend", hint },
    })
  })

  test("answers nothing for longer than a call may wait", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok", { callTimeoutMs: 700 }) })
    const slow = await opened.session.call("mcp__fake__slow", {}, once)
    expect(slow).toMatchObject({
      error_text: expect.stringContaining("for 700 ms"),
      metadata: { error_code: "timeout" },
    })
  })

  test("leaves no process when the session closes", async () => {
    await using opened = await openWithServers({ fake: fakeServer("ok") })
    await opened.session.call("mcp__fake__echo", { text: "x" }, once)
    const alive = () => running(opened.world.home).length
    expect(alive()).toBeGreaterThan(0)
    await opened.session.close()
    expect(alive()).toBe(0)
  })
})

/** The processes whose command line or environment names this folder. */
function running(folder: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fake-server.mjs") &&
        readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(folder)
      )
    } catch {
      return false
    }
  })
}
