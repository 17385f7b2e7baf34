import { type CallRecord, defineManifest, type ToolDefinition } from "@haft/contract"
import { expect, test } from "vitest"
import * as z from "zod"
import { createRegistry } from "../registry/create-registry.js"
import { OfferedTools } from "./offered-tools.js"

function tool(id: string, foreign: boolean): ToolDefinition {
  const manifest = defineManifest({
    ...{ id, title: id, description: `Does ${id}`, requires: {}, kind: "other", tier: "read-only", retry: "safe" },
    ...{ input: z.strictObject({}), output: z.object({}), timeoutMs: 1000, effects: () => [] },
    ...(foreign && { foreign: true as const }),
    limit: { unit: "bytes", max: 1000, past: "paged" },
  })
  const words = { title: id, loading: "", done: "" }
  return {
    ...{ manifest, messages: { en: words, "zh-CN": words }, present: () => [] },
    execute: async () => ({ execute: async () => ({}) }),
    examples: async () => ({ examples: [] }),
  }
}

/** Seventeen tools of our own, and so many of others. */
function offer(foreign: number): OfferedTools {
  const named = (name: string, count: number, isForeign: boolean) =>
    Array.from({ length: count }, (_, index) => tool(`${name}_${index}`, isForeign))
  return new OfferedTools(createRegistry([...named("own", 17, false), ...named("foreign", foreign, true)]))
}

const foreignOf = (offered: OfferedTools) =>
  offered.list().flatMap(({ manifest: { id, foreign } }) => (foreign ? [id] : []))

test("[C2-148] up to 20 tools are all given; of more, those of others are found with a search, and our own stay", () => {
  expect(offer(3).list()).toHaveLength(20)
  expect(offer(3).index.size).toBe(0)
  const many = offer(4)
  expect(many.list()).toHaveLength(17)
  expect(foreignOf(many)).toEqual([])
  expect(many.index.size).toBe(4)
  expect([many.has("own_0"), many.has("foreign_0")]).toEqual([true, false])
  many.index.search("select:foreign_2", { max: 5 })
  expect(foreignOf(many)).toEqual(["foreign_2"])
  expect(many.index.size).toBe(3)
})

test("[C2-150] searches of an earlier process bring up what they found, and a list of everything brings up nothing", () => {
  const call = (tool: string, query: string, ids: readonly string[], type = "output") =>
    ({
      tool,
      arguments: { query },
      envelope: { type, data: { matches: ids.map((id) => ({ id })) } },
    }) as never as CallRecord
  const many = offer(5)
  many.recall([
    call("tool_search", "select:foreign_1", ["foreign_1"]),
    call("tool_search", " ", ["foreign_0", "foreign_1", "foreign_2"]),
    call("tool_search", "foreign", ["foreign_3"], "error"),
    call("grep", "foreign", ["foreign_4"]),
    { ...call("tool_search", "foreign", ["foreign_2"]), envelope: undefined } as never,
  ])
  expect(foreignOf(many)).toEqual(["foreign_1"])
})
