import { dialectNamed } from "@haft/dialects"
import { describe, expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"

async function open(files: Record<string, string> = {}) {
  const world = await libraryWorld(files)
  const haft = await world.haft({
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
