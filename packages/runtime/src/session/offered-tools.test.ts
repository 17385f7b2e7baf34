import { type CallRecord, defineManifest, type ToolDefinition } from "@haft/contract"
import { expect, test } from "vitest"
import * as z from "zod"
import { createRegistry } from "../registry/create-registry.js"
import { OfferedTools } from "./offered-tools.js"

type More = Partial<Pick<ToolDefinition["manifest"], "foreign" | "input" | "output" | "finds">>

function tool(id: string, more: More = {}): ToolDefinition {
  const manifest = defineManifest({
    ...{ id, title: id, description: `Does ${id}`, requires: {}, kind: "other", tier: "read-only", retry: "safe" },
    ...{ input: z.strictObject({}), output: z.object({}), timeoutMs: 1000, effects: () => [] },
    ...more,
    limit: { unit: "bytes", max: 1000, past: "paged" },
  })
  const words = { title: id, loading: "", done: "" }
  return {
    ...{ manifest, messages: { en: words, "zh-CN": words }, present: () => [] },
    execute: async () => ({ execute: async () => ({}) }),
    examples: async () => ({ examples: [] }),
  }
}

const search = tool("search", {
  input: z.strictObject({ query: z.string() }),
  output: z.object({ matches: z.array(z.string()) }),
  finds: ({ query }, { matches }) => ({ query, ids: matches }),
})

/** Seventeen tools of our own, one of which finds others, and so many of others. */
function offer(foreign: number, last = search): OfferedTools {
  const own = Array.from({ length: 16 }, (_, index) => tool(`own_${index}`))
  const theirs = Array.from({ length: foreign }, (_, index) => tool(`foreign_${index}`, { foreign: true }))
  return new OfferedTools(createRegistry([...own, last, ...theirs]))
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

test("[C2-148] many tools of others are all given where nothing could find them", () => {
  const many = offer(5, tool("own_16"))
  expect(many.list()).toHaveLength(22)
  expect(many.index.size).toBe(0)
  expect(many.has("foreign_0")).toBe(true)
})

test("[C2-150] searches of an earlier process bring up what they found, and a list of everything brings up nothing", () => {
  const call = (tool: string, query: string, matches: unknown, type = "output") =>
    ({ tool, arguments: { query }, envelope: { type, data: { matches } } }) as never as CallRecord
  const many = offer(5)
  many.recall([
    call("search", "select:foreign_1", ["foreign_1"]),
    call("search", " ", ["foreign_0", "foreign_1", "foreign_2"]),
    call("search", "foreign", ["foreign_3"], "error"),
    call("own_1", "foreign", ["foreign_4"]),
    call("gone", "foreign", ["foreign_4"]),
    call("search", "foreign", null),
    { ...call("search", "foreign", ["foreign_2"]), arguments: null },
    { ...call("search", "foreign", ["foreign_2"]), envelope: undefined } as never,
  ])
  expect(foreignOf(many)).toEqual(["foreign_1"])
})
