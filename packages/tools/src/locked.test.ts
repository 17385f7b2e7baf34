import { readFileSync } from "node:fs"
import { jsonSchemaOf } from "@haft/runtime"
import { expect, test } from "vitest"
import { catalog } from "./catalog.js"
import { toolsets } from "./toolset.js"

const { tools } = toolsets.find(({ name }) => name === "locked")!
// Parsed and written again: the formatter decides about blanks, the order of keys counts.
const frozen = JSON.parse(readFileSync(new URL("./locked.schema.json", import.meta.url), "utf8"))

test("[C2-18] [C2-19] [C2-21] ids and inputs of the locked tools are, byte for byte, those of the frozen file", () => {
  const schemas = tools.map((id) => {
    const tool = catalog.find(({ manifest }) => manifest.id === id)
    return [id, frozenForm(jsonSchemaOf(tool!.manifest.input, "input"))]
  })
  expect(JSON.stringify(Object.fromEntries(schemas))).toBe(JSON.stringify(frozen))
})

test("[C2-189] every argument of a locked tool is one of the design's table", () => {
  const keys = Object.fromEntries(
    tools.map((id) => [id, Object.keys(catalog.find(({ manifest }) => manifest.id === id)!.manifest.input.def.shape)]),
  )
  expect(keys).toEqual({
    read: ["file_path", "offset", "limit", "byte_offset", "byte_limit"],
    write: ["file_path", "content"],
    edit: ["file_path", "old_string", "new_string", "replace_all"],
    glob: ["pattern", "path"],
    grep: ["pattern", "path", "glob", "context", "-i"],
    bash: ["command", "timeout"],
    todo: ["todos"],
    task: ["subagent_type", "prompt", "background"],
    question: ["questions"],
    web_search: ["query", "max_results"],
    web_fetch: ["url", "format", "timeout"],
    skill: ["name"],
    tool_search: ["query", "max_results"],
  })
})

test("every argument of a locked tool says what it is", () => {
  const silent = tools.flatMap((id) => {
    const { properties = {} } = jsonSchemaOf(
      catalog.find(({ manifest }) => manifest.id === id)!.manifest.input,
      "input",
    ) as {
      properties?: Record<string, { description?: string }>
    }
    return Object.entries(properties).flatMap(([key, { description }]) => (description ? [] : [`${id}.${key}`]))
  })
  expect(silent).toEqual([])
})

/** Words may be improved; what is frozen is the shape. */
function frozenForm(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(frozenForm)
  if (schema === null || typeof schema !== "object") return schema
  const members = Object.entries(schema).filter(([key, value]) => !(key === "description" && typeof value === "string"))
  return Object.fromEntries(members.map(([key, value]) => [key, frozenForm(value)]))
}
