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

const optional: ToolOffer = {
  ...offer,
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, all: { type: "boolean" } },
    required: ["path"],
  },
}

test("strict variants of OpenAI want every property, and allow null for what is optional", () => {
  const parameters = {
    type: "object",
    properties: { path: { type: "string" }, all: { type: ["boolean", "null"] } },
    required: ["path", "all"],
    additionalProperties: false,
  }
  const own = { name: "git--log", description: "Shows commits", parameters, strict: true }
  expect(formatDefinitions([optional], "openai-strict")).toEqual([{ type: "function", function: own }])
  expect(formatDefinitions([optional], "openai-responses-strict")).toEqual([{ type: "function", ...own }])
  expect(formatDefinitions([optional], "openai-responses")[0]?.strict).toBe(false)
})

test("a tool whose schema a provider cannot take is left out and named; the others are written", () => {
  const dropped: unknown[] = []
  const odd = { ...offer, id: "odd", input_schema: { type: "string" } }
  const written = formatDefinitions([odd, offer], "gemini", { onDropped: (tool) => dropped.push(tool) })
  expect(written.map(({ name }) => name)).toEqual(["git--log"])
  expect(dropped).toEqual([{ name: "odd", reason: "its input is no object" }])
})

test("the former name of the AI SDK's tools leads to where they are now", () => {
  expect(() => formatDefinitions([], "ai-sdk" as DefinitionFormat)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("haft/ai") }),
  )
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
