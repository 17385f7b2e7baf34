import fc from "fast-check"
import { expect, test } from "vitest"
import { withoutPatterns } from "./foreign-schema.js"

const catastrophe = "^(a+)+$"
const named = { type: "string", pattern: catastrophe }

test.each([
  ["a definition called properties", { $defs: { properties: named } }, { $defs: { properties: { type: "string" } } }],
  ["a definition called enum", { definitions: { enum: named } }, { definitions: { enum: { type: "string" } } }],
  ["a property called pattern", { properties: { pattern: named } }, { properties: { pattern: { type: "string" } } }],
  ["a schema behind a keyword that nobody knows", { "x-more": [named] }, { "x-more": [{ type: "string" }] }],
  ["a list where a text belongs", { pattern: [catastrophe] }, {}],
  ["a value with a name", { const: { $anchor: "a", ...named } }, { const: { $anchor: "a", type: "string" } }],
])("no pattern is left in %s", (_, given, kept) => {
  expect(withoutPatterns(given)).toEqual(kept)
})

test.each(["properties", "$defs"])("a text where a schema belongs in %s is no schema", (keyword) => {
  expect(() => withoutPatterns({ [keyword]: { $id: "map", a: named } })).toThrow("a text and no schema")
})

test("values that only look like schemas are data", () => {
  const value = { pattern: "*.ts", patternProperties: { a: 1 }, properties: { pattern: "x" } }
  const data = { const: value, enum: [value], default: value, examples: [value] }
  expect(withoutPatterns(data)).toEqual(data)
})

test.each([
  ["#/examples/0"],
  ["#/ex%61mples/0"],
  ["#/x%2Fproperties/examples/0"],
  ["#/a#b/examples/0"],
  ["#/properties/a/const"],
  ["#/$defs/enum/enum/0"],
  ["#/$defs"],
  ["other#/default"],
])("a reference to %s is refused: patterns are left in what is no schema", ($ref) => {
  expect(() => withoutPatterns({ properties: { a: { $ref } } })).toThrow(`its reference "${$ref}" leads to no schema`)
})

test.each([["#"], ["#/$defs/enum"], ["#/properties/const/items/0"], ["#anchor"], ["other#/definitions/default"]])(
  "a reference to %s is kept",
  ($ref) => {
    const schema = { anyOf: [{ $ref }], properties: { $ref: { type: "string" } } }
    expect(withoutPatterns(schema)).toEqual(schema)
  },
)

interface Cut {
  readonly given: unknown
  readonly kept: unknown
}

// Names that are keywords elsewhere: where a name belongs they are names.
const name = fc.constantFrom("a", "pattern", "patternProperties", "properties", "$defs", "enum", "const", "__proto__")
const pattern = fc.constant(catastrophe)

const { schema } = fc.letrec<{ schema: Cut; object: Cut }>((tie) => {
  const map = fc.uniqueArray(fc.tuple(name, tie("schema")), { maxLength: 3, selector: ([key]) => key }).map(pairs)
  const list = fc.array(tie("schema"), { maxLength: 2 }).map((cuts) => ({
    given: cuts.map(({ given }) => given),
    kept: cuts.map(({ kept }) => kept),
  }))
  const data = fc
    .oneof(
      fc.json().map((text): unknown => JSON.parse(text)),
      fc.record({ pattern, patternProperties: fc.object() }),
    )
    .map(same)
  const keyword = fc.oneof(
    fc.tuple(fc.constantFrom("properties", "$defs", "definitions", "dependentSchemas"), map),
    fc.tuple(fc.constantFrom("items", "not", "if", "contains", "propertyNames", "x-more"), tie("schema")),
    fc.tuple(fc.constantFrom("allOf", "anyOf", "oneOf", "prefixItems"), list),
    fc.tuple(fc.constantFrom("const", "default"), data),
    fc.tuple(fc.constantFrom("enum", "examples"), fc.array(data, { maxLength: 2 }).map(eachGiven).map(same)),
    fc.tuple(fc.constantFrom("type", "description", "$comment"), fc.string().map(same)),
    fc.tuple(fc.constant("additionalProperties"), fc.boolean().map(same)),
  )
  const object = fc
    .tuple(
      fc.uniqueArray(keyword, { maxLength: 4, selector: ([key]) => key }),
      fc.record({ pattern, patternProperties: fc.dictionary(pattern, fc.object()) }, { requiredKeys: [] }),
    )
    .map(([keywords, patterns]) => {
      const { given, kept } = pairs(keywords)
      if ("patternProperties" in patterns) delete kept.additionalProperties
      return { given: { ...given, ...patterns }, kept }
    })
  return { object, schema: fc.oneof({ maxDepth: 4 }, fc.boolean().map(same), tie("object")) }
})

function same(value: unknown): Cut {
  return { given: value, kept: value }
}

function eachGiven(cuts: readonly Cut[]): readonly unknown[] {
  return cuts.map(({ given }) => given)
}

function pairs(cuts: readonly (readonly [string, Cut])[]) {
  return {
    given: Object.fromEntries(cuts.map(([key, { given }]) => [key, given])),
    kept: Object.fromEntries(cuts.map(([key, { kept }]) => [key, kept])),
  }
}

test("whatever is nested in whatever, patterns are cut out and nothing else", () => {
  fc.assert(
    fc.property(schema, ({ given, kept }) => {
      expect(withoutPatterns(given)).toStrictEqual(kept)
    }),
    { numRuns: 500 },
  )
})
