import { defineManifest, type ToolDefinition } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import { canonicalToken } from "./canonical-token.js"
import { createToolIndex } from "./create-tool-index.js"

function tool(id: string, description: string, input: z.ZodObject = z.strictObject({}), title = id): ToolDefinition {
  const manifest = defineManifest({
    id,
    title,
    description,
    input,
    output: z.object({}),
    requires: {},
    kind: "other",
    tier: "read-only",
    limit: { unit: "bytes", max: 1000, past: "paged" },
    retry: "safe",
    timeoutMs: 1000,
    effects: () => [],
  })
  const words = { title, loading: "", done: "" }
  return {
    manifest,
    messages: { en: words, "zh-CN": words },
    present: () => [],
    execute: async () => ({ execute: async () => ({}) }),
    examples: async () => ({ examples: [] }),
  }
}

const tools = [
  tool("mcp:github:create_issue", "Opens an issue in a repository", z.strictObject({ assignees: z.array(z.string()) })),
  tool("mcp:github:listPullRequests", "Lists pull requests of a repository"),
  tool("weather", "Tells the weather of a place", z.strictObject({ city: z.string().describe("Name of a town") })),
  tool("WeatherMapTool", "Draws clouds and rain"),
  tool("mcp:a:send", "Sends a letter"),
  tool("mcp:b:send", "Sends a parcel"),
  tool("calendar", "Shows dates and meetings", z.strictObject({}), "Kalender 日历"),
]

function open(list: () => readonly ToolDefinition[] = () => tools) {
  const activated: (readonly string[])[] = []
  const index = createToolIndex(list, (ids) => void activated.push(ids))
  const search = (query: string, max = 5) => index.search(query, { max }).map(({ id }) => id)
  return { search, activated, index }
}

describe("words", () => {
  test("[C2-149] a tool is found by name, title, description and parameters, and the best match comes first", () => {
    const { search } = open()
    expect(search("weather")[0]).toBe("weather")
    expect(search("issue repository")[0]).toBe("mcp:github:create_issue")
    expect(search("pull request")[0]).toBe("mcp:github:listPullRequests")
    expect(search("assignee")).toEqual(["mcp:github:create_issue"])
    expect(search("town")).toEqual(["weather"])
    expect(search("kalender")).toEqual(["calendar"])
    expect(search("日历")).toEqual(["calendar"])
    expect(search("MEETING")).toEqual(["calendar"])
  })

  test("the beginning of a word is enough, and nothing found is an empty list", () => {
    const { search, activated } = open()
    expect(search("repos")).toHaveLength(2)
    expect(search("submarine")).toEqual([])
    expect(activated).toHaveLength(1)
  })

  test("words that are in every description find nothing beside the others, and are looked for when they are alone", () => {
    const { search } = open()
    expect(search("a tool to use for the calendar")).toEqual(["calendar"])
    expect(search("of").sort()).toEqual(["mcp:github:listPullRequests", "weather"])
  })

  test("a word with a plus must occur", () => {
    const { search } = open()
    expect(search("+parcel send")).toEqual(["mcp:b:send"])
    expect(search("send +letter +parcel")).toEqual([])
    expect(search("+RAIN weather")).toEqual(["WeatherMapTool"])
  })

  test("no more come than were asked for", () => {
    expect(open().search("repository weather send", 2)).toHaveLength(2)
  })
})

describe("select", () => {
  test("exact names are taken in their order, however they are spelt", () => {
    const { search } = open()
    expect(search("select:calendar, WEATHER,weather-map")).toEqual(["calendar", "weather", "WeatherMapTool"])
    expect(search("select:Mcp GitHub create_issue")).toEqual(["mcp:github:create_issue"])
    expect(search("select:create-issue")).toEqual(["mcp:github:create_issue"])
    expect(search("select:weath")).toEqual([])
    expect(search("select:")).toEqual([])
  })

  test("a name that several servers have gives each of them once, more than max too", () => {
    expect(open().search("select:send,send", 1)).toEqual(["mcp:a:send", "mcp:b:send"])
  })

  test.each([
    ["Read_File", "readfile"],
    ["SleepTool", "sleep"],
    ["tool", "tool"],
    ["a-b.c", "abc"],
  ])("the token of %j is %j", (name, token) => {
    expect(canonicalToken(name)).toBe(token)
  })
})

test("an empty query lists all by name and brings up none", () => {
  const ids = tools.map(({ manifest }) => manifest.id).sort()
  const { search, activated } = open()
  expect(search("  ", 1)).toEqual(ids)
  expect(search("+", 2)).toEqual(ids)
  expect(activated).toEqual([])
})

test("what was found is activated, with its description in the answer", () => {
  const { index, activated } = open()
  expect(index.search("select:calendar", { max: 5 })).toEqual([
    { id: "calendar", description: "Shows dates and meetings" },
  ])
  expect(activated).toEqual([["calendar"]])
})

test("a tool that came later is found", () => {
  let list: readonly ToolDefinition[] = tools
  const { search } = open(() => list)
  expect(search("submarine")).toEqual([])
  list = [...tools, tool("submarine", "Dives")]
  expect(search("submarine")).toEqual(["submarine"])
})

test("any query gives known tools, each once, never more than asked for words", () => {
  const { search } = open()
  const known = new Set(tools.map(({ manifest }) => manifest.id))
  const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("+", "select:", "weather", "send", " ", ","))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 10 }), (pieces, max) => {
      const query = pieces.join("")
      const found = search(query, max)
      expect(new Set(found).size).toBe(found.length)
      expect(found.every((id) => known.has(id))).toBe(true)
      if (!/^\s*(select:|[+\s]*$)/i.test(query)) expect(found.length).toBeLessThanOrEqual(max)
    }),
  )
})

test("no tools are no trouble", () => {
  expect(open(() => []).search("anything")).toEqual([])
  expect(open(() => []).search("")).toEqual([])
})
