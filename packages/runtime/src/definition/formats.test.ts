import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import type { ToolOffer } from "./definition.js"
import { type DefinitionFormat, definitionFormats, formatDefinitions } from "./formats.js"

const offer: ToolOffer = {
  id: "git.log",
  title: "Log",
  description: "Shows commits",
  input_schema: { type: "object" },
  output_schema: { type: "object" },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
}

test("ai-sdk takes a legal name, a description and the schema as inputSchema", () => {
  expect(formatDefinitions([offer], "ai-sdk")).toEqual([
    { name: "git--log", description: "Shows commits", inputSchema: { type: "object" } },
  ])
})

test.each(definitionFormats)("%s is written", (format) => {
  expect(JSON.stringify(formatDefinitions([offer], format))).toContain("Shows commits")
})

test.each(["yaml", "toString", "__proto__", undefined, 5])(
  "the unknown format %j is refused, and the known ones are named",
  (format) => {
    const written = () => formatDefinitions([], format as DefinitionFormat)
    expect(written).toThrow(ToolError)
    expect(written).toThrow(
      expect.objectContaining({ code: "invalid_args", hint: expect.stringContaining("anthropic, openai") }),
    )
  },
)
