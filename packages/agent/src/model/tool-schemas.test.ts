import { readFile } from "node:fs/promises"
import type { LanguageModelV3, LanguageModelV3FunctionTool } from "@ai-sdk/provider"
import { fitTools, type SchemaVariant } from "@haft/runtime"
import { type ProviderApi, startProviderServer } from "@haft/testkit"
import fc from "fast-check"
import { expect, test } from "vitest"
import * as z from "zod"
import { machineClock } from "./clock.js"
import { openModel } from "./open-model.js"
import { replyText } from "./reply.js"
import { schemaVariantOf } from "./schema-variant.js"
import { streamReply } from "./stream-reply.js"

type Fields = Record<string, unknown>

function tool(inputSchema: Fields, name = "x"): LanguageModelV3FunctionTool {
  return { type: "function", name, description: "A tool", inputSchema }
}

function fit(schema: Fields, variant: SchemaVariant): Fields {
  const [fitted] = fitTools([tool(schema)], variant).tools
  return { ...(fitted?.inputSchema as Fields), ...(fitted?.strict === undefined ? {} : { strict: fitted.strict }) }
}

const object = (properties: Fields, required: readonly string[] = [], more: Fields = {}): Fields => ({
  type: "object",
  properties,
  required,
  ...more,
})

test("strict: every property is required, optional ones may be null, unsupported keywords leave", () => {
  const schema = object(
    {
      path: { type: "string", minLength: 1, format: "uri", pattern: "^a" },
      limit: { type: "integer", minimum: 1, default: 5 },
      mode: { type: "string", enum: ["a", "b"], description: "How. " },
      list: { type: "array", items: object({ a: { type: "string" } }, ["a"]), uniqueItems: true, maxItems: 3 },
      either: { oneOf: [{ type: "string" }, { type: "number" }] },
    },
    ["path"],
  )
  expect(fit(schema, "strict")).toEqual({
    type: "object",
    properties: {
      path: { type: "string", pattern: "^a" },
      limit: { type: ["integer", "null"], minimum: 1, description: "Default: 5" },
      mode: { description: "How. ", anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
      list: {
        type: ["array", "null"],
        maxItems: 3,
        items: { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
      },
      either: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
    },
    required: ["path", "limit", "mode", "list", "either"],
    additionalProperties: false,
    strict: true,
  })
})

// biome-ignore format: one line for each
test.each<[string, Fields]>([
  ["a map", object({ a: { type: "object", additionalProperties: { type: "string" } } })],
  ["a free object", object({ a: { type: "object" } })],
  ["anything", object({ a: {} })],
  ["a list of anything", object({ a: { type: "array" } })],
  ["a tuple", object({ a: { type: "array", prefixItems: [{ type: "string" }] } })],
  ["alternatives at the top", { anyOf: [object({ a: { type: "string" } }, ["a"]), object({ b: { type: "string" } }, ["b"])] }],
])("%s is sent to OpenAI without strictness rather than not at all", (_name, schema) => {
  expect(fit(schema, "strict")).toMatchObject({ type: "object", strict: false })
})

test("references stand where they are used; recursion ends after a few levels", () => {
  const schema = {
    ...object({ tree: { $ref: "#/$defs/tree", description: "the tree" } }, ["tree"]),
    $defs: {
      tree: object({ name: { type: "string" }, inside: { type: "array", items: { $ref: "#/$defs/tree" } } }, ["name"]),
    },
  }
  for (const variant of ["plain", "strict", "gemini"] as const) {
    const text = JSON.stringify(fit(schema, variant))
    expect(text).not.toContain("$ref")
    expect(text).not.toContain("$defs")
    expect(text.split('"inside"').length - 1).toBeGreaterThanOrEqual(3)
    expect(text.length).toBeLessThan(2000)
    expect(text).toContain("the tree")
  }
})

test("parts that all hold are one schema, alternatives at the top are one object", () => {
  const merged = {
    allOf: [
      object({ a: { type: "string" } }, ["a"]),
      object({ b: { type: "integer", minimum: 1 } }, ["b"]),
      object({ b: { maximum: 9 } }),
    ],
  }
  expect(fit(merged, "plain")).toEqual(
    object({ a: { type: "string" }, b: { type: "integer", minimum: 1, maximum: 9 } }, ["a", "b"]),
  )
  const either = {
    oneOf: [
      object({ kind: { const: "a" }, x: { type: "string" } }, ["kind", "x"]),
      object({ kind: { const: "b" } }, ["kind"]),
    ],
  }
  expect(fit(either, "plain")).toEqual(
    object({ kind: { anyOf: [{ const: "a" }, { const: "b" }] }, x: { type: "string" } }, ["kind"]),
  )
})

// biome-ignore format: one line for each
test.each<[string, string, Fields, string]>([
  ["a reference to elsewhere", "x", object({ a: { $ref: "https://example.com/schema.json" } }), 'it refers to "https://example.com/schema.json", which is outside of it'],
  ["a reference to nothing", "x", object({ a: { $ref: "#/$defs/none" } }), 'it refers to "#/$defs/none", which it does not have'],
  ["a schema that needs itself", "x", { ...object({ a: { $ref: "#" } }, ["a"]) }, "it refers to itself without an end"],
  ["an input that is no object", "x", { type: "string" }, "its input is no object"],
  ["a part that is no schema", "x", object({ a: "string" }), "a part of it is no schema"],
  ["a name of 65 characters", "n".repeat(65), object({}), "providers do not take its name"],
  ["references that multiply", "x", { ...object({ a: { $ref: "#/$defs/0" } }), $defs: Object.fromEntries(Array.from({ length: 20 }, (_, level) => [level, object({ l: { $ref: `#/$defs/${level + 1}` }, r: { $ref: `#/$defs/${level + 1}` } })]).concat([[20, { type: "string" }]])) }, "it is too large without its references"],
])("%s is dropped and reported, and the other tools stay", (_name, name, schema, reason) => {
  for (const variant of ["plain", "strict", "gemini"] as const) {
    const { tools, dropped } = fitTools([tool(object({}), "good"), tool(schema, name), tool(object({}), "fine")], variant)
    expect(tools.map((each) => each.name)).toEqual(["good", "fine"])
    expect(dropped).toEqual([{ name, reason }])
  }
})

test("a name that stands twice is offered once", () => {
  const { tools, dropped } = fitTools([tool(object({})), tool(object({}))], "plain")
  expect([tools.length, dropped]).toEqual([1, [{ name: "x", reason: "another tool has the same name" }]])
})

test("nulls for optional properties are taken away, nulls that the schema allows stay", () => {
  const schema = object(
    {
      a: { type: "string" },
      b: { type: ["string", "null"] },
      c: { type: "array", items: object({ d: { type: "integer" }, e: { type: "string" } }, ["e"]) },
      f: {
        anyOf: [
          object({ kind: { const: "x" }, g: { type: "string" } }, ["kind"]),
          object({ kind: { const: "y" }, g: { type: ["null", "integer"] } }, ["kind"]),
        ],
      },
      must: { type: "string" },
    },
    ["must"],
  )
  const { restore } = fitTools([tool(schema)], "strict")
  expect(restore("x", { a: null, b: null, c: [{ d: null, e: "e" }], f: { kind: "x", g: null }, must: null })).toEqual({
    b: null,
    c: [{ e: "e" }],
    f: { kind: "x" },
    must: null,
  })
  expect(restore("x", { f: { kind: "y", g: null }, other: null })).toEqual({ f: { kind: "y", g: null }, other: null })
  expect(restore("unknown", { a: null })).toEqual({ a: null })
  expect(restore("x", "no object")).toBe("no object")
})

const names = ["a", "b", "c", "d"]

/** Schemas as tools have them. Gemini takes no numbers in a list of values, so those are left out of what it must keep. */
const { schema: anySchema } = fc.letrec<{ schema: Fields; leaf: Fields; object: Fields }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<Fields>(
      { type: "string" },
      { type: "boolean" },
      { type: "integer", minimum: 1, maximum: 9 },
      { type: "number" },
      { type: ["string", "null"] },
      { type: "string", enum: ["p", "q"] },
      { const: "k" },
      { type: "null" },
      { $ref: "#/$defs/node" },
    ),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
      fc.array(tie("schema"), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 0, max: 7 }),
      fc.boolean(),
    )
    .map(([keys, schemas, mask, closed]) => ({
      type: "object",
      properties: Object.fromEntries(keys.map((key, index) => [key, schemas[index]])),
      required: keys.filter((_, index) => mask & (1 << index)),
      ...(closed ? { additionalProperties: false } : {}),
    })),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("leaf"),
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.constant(2) }),
    fc.tuple(tie("leaf"), tie("leaf"), fc.constantFrom("anyOf", "oneOf")).map(([one, other, key]) =>
      // Alternatives of one type would both hold, which oneOf forbids.
      JSON.stringify(one).includes("integer") || JSON.stringify(other).includes("integer")
        ? one
        : { [key === "oneOf" && overlaps(one, other) ? "anyOf" : key]: [one, other] },
    ),
  ),
}))

function overlaps(one: Fields, other: Fields): boolean {
  const kinds = (schema: Fields) =>
    "$ref" in schema ? ["object"] : "const" in schema ? ["string"] : [schema.type].flat()
  return kinds(one).some((kind) => kinds(other).includes(kind))
}

const node = {
  type: "object",
  properties: {
    v: { type: "string" },
    next: { $ref: "#/$defs/node" },
    all: { type: "array", items: { $ref: "#/$defs/node" } },
  },
  required: ["v"],
  additionalProperties: false,
}

/** Any value of a schema without references. */
function sampleOf(schema: Fields, next: (max: number) => number): unknown {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return sampleOf(alternatives[next(alternatives.length)], next)
  if ("const" in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[next(schema.enum.length)]
  const types = [schema.type].flat()
  switch (types[next(types.length)]) {
    case "string":
      return ["", "text", "ü"][next(3)]
    case "boolean":
      return next(2) === 1
    case "integer":
      return 1 + next(9)
    case "number":
      return next(100) / 4
    case "null":
      return null
    case "array":
      return Array.from({ length: next(Math.min(Number(schema.maxItems ?? 2), 2) + 1) }, () =>
        sampleOf(schema.items as Fields, next),
      )
    default: {
      const required = (schema.required ?? []) as string[]
      const entries = Object.entries((schema.properties ?? {}) as Record<string, Fields>)
      const kept = entries.filter(([name]) => required.includes(name) || next(2) === 1)
      return Object.fromEntries(kept.map(([name, inner]) => [name, sampleOf(inner, next)]))
    }
  }
}

test.each(["plain", "strict", "gemini"] as const)(
  "%s: what the variant allows becomes what the original allows",
  (variant) => {
    let checked = 0
    let strictOnes = 0
    let nulls = 0
    fc.assert(
      fc.property(anySchema, fc.infiniteStream(fc.nat(1000)), (inner, stream) => {
        const original: Fields = { ...object({ inner }, ["inner"]), $defs: { node } }
        const { tools, dropped, restore } = fitTools([tool(original)], variant)
        expect(dropped).toEqual([])
        if (variant === "strict" && tools[0]?.strict === true) strictOnes += 1
        const validator = z.fromJSONSchema(original as Parameters<typeof z.fromJSONSchema>[0])
        for (let count = 0; count < 4; count += 1) {
          const sent = sampleOf(tools[0]?.inputSchema as Fields, (max) => Number(stream.next().value) % max)
          const args = restore("x", sent)
          if (JSON.stringify(args) !== JSON.stringify(sent)) nulls += 1
          const result = validator.safeParse(args)
          if (!result.success)
            throw new Error(`${JSON.stringify(sent)} became ${JSON.stringify(args)}: ${result.error.message}`)
          checked += 1
        }
      }),
      { numRuns: 400, seed: 12 },
    )
    expect(checked).toBe(1600)
    if (variant === "strict") expect([strictOnes > 200, nulls > 100]).toEqual([true, true])
  },
)

const nasty: readonly LanguageModelV3FunctionTool[] = [
  tool({ ...object({ tree: { $ref: "#/$defs/node" } }), $defs: { node } }, "recursive"),
  tool(
    object({ env: { type: "object", additionalProperties: { type: "string" }, propertyNames: { type: "string" } } }),
    "map",
  ),
  tool(
    object({
      any: {},
      list: { type: "array" },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    }),
    "open",
  ),
  tool(
    {
      anyOf: [
        object({ a: { const: 1 } }, ["a"]),
        object({ a: { enum: [2, 3] }, b: { type: "string", format: "uri" } }, ["a"]),
      ],
    },
    "union",
  ),
  tool(
    object({
      n: { type: "integer", enum: [1, 2] },
      e: { enum: ["", "x", null] },
      m: { type: ["string", "number", "null"] },
    }),
    "values",
  ),
  tool({ type: "object" }, "nothing"),
  tool(
    object({ when: { type: "string", format: "date-time" }, x: { allOf: [{ type: "string" }, { minLength: 2 }] } }),
    "parts",
  ),
]

// biome-ignore format: one line for each
test.each<[string, ProviderApi]>([
  ["anthropic:m", "anthropic"],
  ["openai:gpt-test", "openai-responses"],
  ["openai-compatible:m", "openai-chat"],
  ["google:gemini-test", "gemini"],
])("%s takes all tools of ours and the nastiest of others", async (reference, api) => {
  const locked: Record<string, Fields> = JSON.parse(
    await readFile(new URL("../../../tools/src/locked.schema.json", import.meta.url), "utf8"),
  )
  const own = Object.entries(locked).map(([name, schema]) => tool(schema, name))
  const server = await startProviderServer({ replies: () => ({ text: "fine" }) })
  try {
    const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }
    const model: LanguageModelV3 = await openModel(reference, { baseUrl: server.baseUrl(api), env })
    const { tools, dropped } = fitTools([...own, ...nasty], schemaVariantOf(model))
    expect([tools.length, dropped]).toEqual([own.length + nasty.length, []])
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }]
    const signal = new AbortController().signal
    const reply = await streamReply(model, { prompt, tools, maxOutputTokens: 99 }, { signal, clock: machineClock })
    expect([replyText(reply), server.refusals]).toEqual(["fine", []])
    // Of ours, all go to OpenAI with strictness.
    if (api === "openai-responses") expect(tools.slice(0, own.length).filter(({ strict }) => strict !== true)).toEqual([])
  } finally {
    await server.close()
  }
})
