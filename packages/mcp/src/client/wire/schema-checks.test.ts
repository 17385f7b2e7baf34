import { expect, test } from "vitest"
import { SchemaChecks } from "./schema-checks.js"

test("regular expressions of a server are never run: one of them could take for ever", () => {
  const checks = new SchemaChecks()
  const schema = {
    type: "object",
    properties: { name: { type: "string", pattern: "^(a+)+$" } },
    patternProperties: { "^(b+)+$": { type: "number" } },
  }
  expect(checks.problem(schema, { name: "-", bbb: "no number" })).toBeUndefined()
  expect(checks.problem(schema, { name: 7 })).toContain("name")
})
