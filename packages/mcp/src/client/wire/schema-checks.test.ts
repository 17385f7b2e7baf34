import type { JsonSchemaType } from "@modelcontextprotocol/client"
import { describe, expect, test } from "vitest"
import { SchemaChecks } from "./schema-checks.js"

const catastrophe = { type: "string", pattern: "^(a+)+$" }

describe("regular expressions of a server are never run: one of them could take for ever", () => {
  test("where schemas stand", () => {
    const checks = new SchemaChecks()
    const schema = {
      type: "object",
      properties: { name: catastrophe },
      patternProperties: { "^(b+)+$": { type: "number" } },
    }
    expect(checks.problem(schema, { name: "-", bbb: "no number" })).toBeUndefined()
    expect(checks.problem(schema, { name: 7 })).toContain("name")
  })

  test.each([["properties"], ["patternProperties"], ["enum"]])("in a definition called %s", (name) => {
    const schema = { type: "object", properties: { a: { $ref: `#/$defs/${name}` } }, $defs: { [name]: catastrophe } }
    expect(new SchemaChecks().problem(schema, { a: "-" })).toBeUndefined()
    expect(new SchemaChecks().problem(schema, { a: 7 })).toContain("must be string")
  })

  test("in data that a reference calls a schema", () => {
    const schema = { type: "object", properties: { a: { $ref: "#/examples/0" } }, examples: [catastrophe] }
    expect(new SchemaChecks().flaw(schema)).toBe('its reference "#/examples/0" leads to no schema')
  })

  test("in data that has a name", () => {
    const named = { $anchor: "named", ...catastrophe }
    const dependentSchemas = { properties: { const: named } }
    const schema = { type: "object", properties: { a: { $ref: "#named" } }, dependentSchemas }
    expect(new SchemaChecks().problem(schema, { a: "-" })).toBeUndefined()
  })
})

test("a schema is compiled once, however often a tool is called", () => {
  const checks = new SchemaChecks()
  const schema = { type: "object", properties: { n: { type: "number" } } } as JsonSchemaType
  expect(checks.getValidator(schema)).toBe(checks.getValidator(schema))
})

test.each([
  ["of their own", (type: string) => ({ $id: "https://example.com/args", properties: { n: { type } } })],
  ["of a part", (type: string) => ({ properties: { n: { $id: "https://example.com/n", type } } })],
])("two schemas with the same $id %s are each checked as they are", (_, schemaOf) => {
  const checks = new SchemaChecks()
  expect(checks.problem(schemaOf("number"), { n: 1 })).toBeUndefined()
  expect(checks.problem(schemaOf("string"), { n: "x" })).toBeUndefined()
  expect(checks.problem(schemaOf("string"), { n: 1 })).toContain("must be string")
})

test("a reference to the schema's own $id is followed", () => {
  const $id = "https://example.com/args"
  const schema = { $id, properties: { n: { $ref: `${$id}#/$defs/n` } }, $defs: { n: { type: "number" } } }
  expect(new SchemaChecks().problem(schema, { n: "x" })).toContain("must be number")
})
