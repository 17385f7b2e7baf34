import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openWithServers, realServer } from "./mcp-world.js"
import { sandboxIsHere } from "./shell-world.js"

const once = { answer: "once" } as const

describe.skipIf(!sandboxIsHere)("a real server from the registry", () => {
  test("memory keeps what it is told in a folder of its own, also for the next session", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the entry, not of this program
    const memory = realServer("server-memory", [], { env: { MEMORY_FILE_PATH: "${HAFT_DATA}/memory.json" } })
    await using opened = await openWithServers({ memory })
    const { session, haft } = opened
    const entities = [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }]
    const made = await session.call("mcp__memory__create_entities", { entities }, once)
    expect(made).toMatchObject({ type: "output", data: { server: "memory" } })
    await session.close()
    const next = await haft.openSession()
    const found = await next.call("mcp__memory__search_nodes", { query: "programs" }, once)
    expect(found).toMatchObject({ type: "output", data: { structured: { entities } } })
  })

  test("filesystem reads and writes the workspace that it was given, and nothing else", async () => {
    await using opened = await openWithServers({}, { files: { "notes.txt": "first line\n" } })
    const { root } = opened.world
    const haft = await opened.world.haft({
      toolset: "locked",
      mcpServers: { fs: realServer("server-filesystem", [root], { workspace: "write" }) },
    })
    const session = await haft.openSession()
    const read = await session.call("mcp__fs__read_text_file", { path: `${root}/notes.txt` }, once)
    expect(read).toMatchObject({ type: "output", data: { text: "first line\n".trim() } })
    const wrote = await session.call("mcp__fs__write_file", { path: `${root}/new.txt`, content: "hello" }, once)
    expect(wrote.type).toBe("output")
    expect(readFileSync(`${root}/new.txt`, "utf8")).toBe("hello")
    const outside = await session.call("mcp__fs__read_text_file", { path: "/etc/hostname" }, once)
    expect(outside).toMatchObject({ type: "error", metadata: { error_code: "backend" } })
  })

  test("everything echoes, tells of progress, and offers resources and prompts", async () => {
    await using opened = await openWithServers({ every: realServer("server-everything") })
    const { session, events } = opened
    const echoed = await session.call("mcp__every__echo", { message: "hello" }, once)
    expect(echoed).toMatchObject({ type: "output", data: { text: "Echo: hello" } })
    const long = await session.call("mcp__every__trigger-long-running-operation", { duration: 1, steps: 4 }, once)
    expect(long.type).toBe("output")
    expect(events.filter(({ type }) => type === "tool-output-delta").length).toBeGreaterThan(1)
    const listed = await session.call("mcp_resources", { server: "every" }, once)
    expect(listed).toMatchObject({ type: "output", data: { text: expect.stringContaining("prompt ") } })
    const { text } = (listed as unknown as { data: { text: string } }).data
    const uri = /^resource (\S+)/m.exec(text)?.[1]
    expect(uri).toBeDefined()
    expect((await session.call("mcp_read", { server: "every", uri }, once)).type).toBe("output")
    const prompt = await session.call("mcp_prompt", { server: "every", name: "simple-prompt" }, once)
    expect(prompt).toMatchObject({ type: "output", data: { text: expect.stringMatching(/^user: /) } })
  })

  test("an agent uses three of them in one turn, and each call is asked about", async () => {
    await using opened = await openWithServers({}, { files: { "notes.txt": "first line\n" } })
    const { root } = opened.world
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the entry, not of this program
    const env = { MEMORY_FILE_PATH: "${HAFT_DATA}/memory.json" }
    const haft = await opened.world.haft({
      toolset: "locked",
      mcpServers: {
        fs: realServer("server-filesystem", [root], { workspace: "write" }),
        memory: realServer("server-memory", [], { env }),
        every: realServer("server-everything"),
      },
    })
    const entities = [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }]
    const lines = [
      // Many tools: those of servers are found first.
      { calls: [{ name: "tool_search", args: { query: "select:mcp__every__echo,mcp__memory__create_entities" } }] },
      {
        calls: [
          { name: "mcp__every__echo", args: { message: "hello" } },
          { name: "mcp__memory__create_entities", args: { entities } },
          { name: "mcp__fs__read_text_file", args: { path: `${root}/notes.txt` } },
        ],
      },
      { text: "Done." },
    ]
    const file = join(root, "../agent-script.jsonl")
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"))
    const agent = haft.agent({ model: `script:${file}`, person: "events" })
    const ends: string[] = []
    let asked = 0
    for await (const event of agent.send("Go")) {
      if (event.type === "ask") asked += 1
      if (event.type === "ask") for (const { name } of await agent.waits()) await agent.answer(name, once)
      if (event.type === "tool-end") ends.push(`${event.tool} ${event.envelope.type}`)
    }
    expect(await agent.result).toMatchObject({ reason: "done", text: "Done." })
    expect(asked).toBe(3)
    expect(ends).toEqual([
      "tool_search output",
      "mcp__every__echo output",
      "mcp__memory__create_entities output",
      "mcp__fs__read_text_file output",
    ])
  })
})
