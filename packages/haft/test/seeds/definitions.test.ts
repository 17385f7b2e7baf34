import { dialectNamed } from "@haft/dialects"
import { definitionFormats } from "@haft/runtime"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Session } from "../../src/library/session.js"
import { type LibraryWorld, libraryWorld } from "../library-world.js"
import { workbench } from "../workbench.js"
import { a3sTools, asyarTools, clawTools, type DocumentedTool } from "./definitions.js"

// Strict schemas say optional arguments in another way: every one is required, and may be null.
const formats = definitionFormats.filter((format) => !format.endsWith("-strict"))

const documents: Readonly<Record<string, readonly DocumentedTool[]>> = {
  a3s: a3sTools,
  asyar: asyarTools,
  claw: clawTools,
}

interface PropertySchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly PropertySchema[]
}

interface ObjectSchema {
  readonly type: string
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

interface Definition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly schema: ObjectSchema
}

const bench = workbench()
afterAll(() => bench.remove())

/** What the command line prints, whichever shape the format has. */
async function definitions(dialect: string, format: string): Promise<readonly Definition[]> {
  const { code, stdout, stderr } = await bench.run(["tools", "--dialect", dialect, "--format", format, "--json"])
  expect([code, stderr]).toEqual([0, ""])
  return (JSON.parse(stdout) as Record<string, unknown>[]).map((each) => {
    const inner = (each.function ?? each) as Record<string, unknown>
    const schema = inner.input_schema ?? inner.inputSchema ?? inner.parameters ?? inner.parametersJsonSchema
    return { ...inner, name: inner.name ?? inner.id, schema } as unknown as Definition
  })
}

/** The types that a schema takes, however it says so. */
function typesOf({ type, anyOf }: PropertySchema): readonly string[] {
  return [...(anyOf ?? []).flatMap(typesOf), ...(type === undefined ? [] : [type].flat())]
}

describe.each(Object.keys(documents))("the definitions of %s", (dialect) => {
  const documented = documents[dialect]!

  test.each(formats)("in the format %s are those of the document", async (format) => {
    const given = await definitions(dialect, format)
    const names = documented.map(({ name, wire = name }) => (format === "haft" ? [name, wire] : [wire]))
    expect(given).toHaveLength(documented.length)
    for (const [index, { name, title, description, schema }] of given.entries()) {
      const tool = documented[index]!
      expect(names[index], name).toContain(name)
      for (const words of tool.says) expect(description, name).toContain(words)
      if (format === "mcp" && tool.title !== undefined) expect(title).toBe(tool.title)
      const { properties = {}, required = [] } = schema
      expect(Object.keys(properties), name).toEqual(Object.keys(tool.arguments))
      const needed = Object.keys(tool.arguments).filter((key) => tool.arguments[key]!.required)
      expect([...required].sort(), name).toEqual(needed.sort())
      for (const [key, { type, says, choices }] of Object.entries(tool.arguments)) {
        const property = properties[key]!
        expect(typesOf(property).join("|"), `${name} ${key}`).toBe(type)
        if (says !== undefined) expect(property.description, `${name} ${key}`).toContain(says)
        if (choices !== undefined) expect(property.enum, `${name} ${key}`).toEqual(choices)
      }
    }
  })
})

describe("what holds where an argument is left out", () => {
  let world: LibraryWorld
  let session: Session
  beforeAll(async () => {
    world = await libraryWorld({ "a.txt": "a\n" })
    session = await (await world.haft({ toolset: "all" })).openSession()
  })
  afterAll(() => world.remove())

  const withDefaults = Object.entries(documents).flatMap(([dialect, tools]) =>
    tools.flatMap(({ name, least, defaults }) => (defaults ? [[dialect, name, least, defaults] as const] : [])),
  )
  test.each(withDefaults)("%s %s %j: %j", async (dialect, name, least, defaults) => {
    const spoken = (await dialectNamed(dialect))!
    const { arguments: meant } = await session.explain(name, least, { dialect: spoken })
    expect(meant).toMatchObject(defaults)
  })
})

test("lobe says the same of every API in every format", async () => {
  const [first, ...others] = await Promise.all(formats.map((format) => definitions("lobe", format)))
  const facts = (list: readonly Definition[]) =>
    list.map(({ description, schema }) => [
      description,
      Object.keys(schema.properties ?? {}),
      [...(schema.required ?? [])].sort(),
    ])
  for (const other of others) expect(facts(other)).toEqual(facts(first!))
})

test("beside a definition stands what the system itself publishes of a tool", async () => {
  const first = async (dialect: string, name: string) => {
    const { stdout } = await bench.run(["tools", name, "--dialect", dialect, "--json"])
    return (JSON.parse(stdout) as { descriptor: unknown }[])[0]!.descriptor
  }
  const schema = expect.objectContaining({ type: "object" })
  expect(await first("claw", "bash")).toEqual({
    ...{ name: "bash", description: expect.stringMatching(/^Execute/), input_schema: schema },
    required_permission: "danger-full-access",
  })
  expect(await first("claw", "Config")).toMatchObject({ required_permission: "workspace-write" })
  expect(await first("claw", "read_file")).toMatchObject({ required_permission: "read-only" })
  expect(await first("a3s", "ls")).toEqual({
    ...{ name: "ls", description: expect.stringMatching(/^List/), parameters: schema },
    backend: { type: "builtin" },
  })
  expect(await first("asyar", "builtin:search")).toEqual({
    ...{ id: "search", fully_qualified_id: "builtin:search", source: "builtin", parameters: schema },
  })
})
