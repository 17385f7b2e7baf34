import { dialectNamed } from "@haft/dialects"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import type { HaftOptions } from "../src/index.js"
import { tool } from "../src/index.js"
import { libraryWorld } from "./library-world.js"

async function open(files: Record<string, string> = {}, options: HaftOptions = {}) {
  const world = await libraryWorld(files)
  const haft = await world.haft({
    ...options,
    toolset: "locked",
    rules: [{ permission: "fs.write", pattern: "{workspace}/**", action: "allow" }],
  })
  return { session: await haft.openSession(), path: world.path, [Symbol.asyncDispose]: () => world.remove() }
}

describe("an executor in a dialect", () => {
  test("takes that system's names and arguments and gives its result as text", async () => {
    await using world = await open({ "a.txt": "one\ntwo\n" })
    const executor = world.session.executor({ dialect: "claw" })
    const read = JSON.parse(await executor.execute("read_file", JSON.stringify({ path: "a.txt", limit: 1 })))
    expect(read).toMatchObject({ type: "text", file: { content: "one", numLines: 1, startLine: 1 } })
    const written = await executor.execute("write_file", JSON.stringify({ path: "b.txt", content: "x" }))
    expect(JSON.parse(written)).toMatchObject({ type: "create" })
  })

  test("throws what that system calls an error", async () => {
    await using world = await open()
    const executor = world.session.executor({ dialect: "claw" })
    await expect(executor.execute("read_file", '{"path":"none"}')).rejects.toMatchObject({ code: "not_found" })
    await expect(executor.execute("read", '{"path":"none"}')).rejects.toMatchObject({ code: "not_found" })
    await expect(executor.execute("read_file", '{"file":"a"}')).rejects.toThrow("file")
    await expect(executor.execute("read_file", "{")).rejects.toMatchObject({ code: "invalid_args" })
    await expect(executor.execute("Agent", '{"description":"d","prompt":"p"}')).rejects.toMatchObject({
      code: "not_configured",
    })
  })

  test("reaches tools outside the toolset only through the dialect", async () => {
    await using world = await open()
    expect(
      await world.session.executor({ dialect: "asyar" }).execute("builtin:calculator", '{"expression":"1+1"}'),
    ).toBe("2")
    expect((await world.session.call("calculator", { expression: "1+1" })).metadata.error_code).toBe("not_found")
  })

  test("is judged by the same rules", async () => {
    await using world = await open({ ".env": "KEY=1" })
    const executor = world.session.executor({ dialect: "a3s" })
    await expect(executor.execute("read", '{"file_path":".env"}')).rejects.toMatchObject({ code: "denied" })
  })

  test("an unknown dialect is invalid_args", async () => {
    await using world = await open()
    await expect(world.session.executor({ dialect: "klingon" }).execute("x", "{}")).rejects.toMatchObject({
      code: "invalid_args",
    })
  })
})

const greet = tool({
  id: "greet",
  description: "Says hello.",
  input: z.object({ name: z.string() }),
  execute: async ({ name }) => `Hello ${name}`,
})

describe.each(["asyar", "claw", "a3s", "lobe"])("%s: a tool of the host", (dialect) => {
  test("is offered under its own name and called by it, and ours are not", async () => {
    await using world = await open({ "a.txt": "one\n" }, { tools: [greet] })
    const named = (await dialectNamed(dialect))!.tools.map(({ name }) => name)
    expect((await world.session.toolDefinitions({ dialect })).map(({ name }) => name)).toEqual([...named, "greet"])
    const executor = world.session.executor({ dialect })
    expect(await executor.execute("greet", '{"name":"Ann"}')).toContain("Hello Ann")
    await expect(executor.execute("greet", '{"nam":"Ann"}')).rejects.toThrow("name")
    await expect(executor.execute("gret", '{"name":"Ann"}')).rejects.toMatchObject({
      hint: expect.stringContaining('"greet"'),
    })
    await expect(executor.execute("find_files", '{"query":"a"}')).rejects.toMatchObject({ code: "not_found" })
  })
})

test("a name that the system has itself means its own tool", async () => {
  const usurper = tool({ ...{ id: "read_file", description: "Reads." }, input: z.object({}), execute: () => "not it" })
  await using world = await open({ "a.txt": "one\n" }, { tools: [usurper] })
  const offered = await world.session.toolDefinitions({ dialect: "claw" })
  expect(offered.filter(({ name }) => name === "read_file")).toHaveLength(1)
  expect(await world.session.executor({ dialect: "claw" }).execute("read_file", '{"path":"a.txt"}')).toContain("one")
})

test.each(["asyar", "claw", "a3s", "lobe"])(
  "%s: its definitions have a legal name, a description and a schema",
  async (name) => {
    await using world = await open()
    const dialect = (await dialectNamed(name))!
    const definitions = world.session.tools({ format: "anthropic", dialect }) as {
      name: string
      description: string
      input_schema: { type: string }
    }[]
    expect(definitions.length).toBe(dialect.tools.length)
    for (const definition of definitions) {
      expect(definition.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(definition.description).not.toBe("")
      expect(definition.input_schema.type).toBe("object")
    }
    expect(world.session.toolDefinitions({ dialect }).map(({ name: each }) => each)).toEqual(
      dialect.tools.map((tool) => tool.name),
    )
  },
)
