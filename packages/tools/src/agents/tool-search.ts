import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../output.js"

const manifest = defineManifest({
  id: "tool_search",
  title: "Tool search",
  description:
    "Finds tools of skills, servers and extensions that are not listed yet; those found can be called from the next turn on. Use when no listed tool fits.",
  input: z.strictObject({
    query: z.string().max(1000).describe("Words; +word must occur; select:a,b takes these names; empty lists all"),
    max_results: z.int().min(1).default(5).describe("At most so many"),
  }),
  output: outputSchema({
    matches: z.array(z.strictObject({ id: z.string(), description: z.string() })),
    unlisted: z.int().describe("How many tools are not listed"),
  }),
  requires: {},
  operands: ["query"],
  toolset: "locked",
  defaults: [{ action: "allow" }],
  looksAtTools: true,
  finds: ({ query }, { matches }) => ({ query, ids: matches.map(({ id }) => id) }),
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "matches" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Asks the index of the session, which also offers what was found. */
const execute: Execute<typeof manifest> = async ({ query, max_results }, { tools }) => {
  const unlisted = tools.size
  const matches = tools.search(query, { max: max_results })
  return { matches: matches.map(({ id, description }) => ({ id, description })), unlisted }
}

/** A line for each tool, its description cut to one. */
const present: Present<typeof manifest> = ({ matches, unlisted }) => {
  if (unlisted === 0) return [text("Every tool of this session is listed already: there is nothing to find")]
  if (matches.length === 0) return [text("No unlisted tool matches; try other words, or an empty query for the list")]
  return [text(matches.map(({ id, description }) => `${id}: ${oneLine(description)}`).join("\n"))]
}

function oneLine(description: string): string {
  const line = description.replace(/\s+/g, " ").trim()
  return line.length > 200 ? `${line.slice(0, 197)}...` : line
}

const messages: ToolMessages = {
  en: { title: "Tool search", loading: "Looking for tools", done: "Looked for tools" },
  "zh-CN": {
    title: "查找工具",
    loading: "正在查找工具",
    done: "已查找工具",
    summary: "查找技能、服务器和扩展里尚未列出的工具",
  },
}

const weather = { id: "weather", description: "Tells the weather of a place. Use before a walk." }

export const examples: readonly Example<typeof manifest>[] = [
  { name: "by what it is for", input: { query: "weather in a place" }, output: { matches: [weather], unlisted: 2 } },
  { name: "by name", input: { query: "select:Weather" }, output: { matches: [weather], unlisted: 2 } },
  {
    name: "with a word that must occur",
    input: { query: "+walk forecast" },
    output: { matches: [weather], unlisted: 2 },
  },
  { name: "nothing found", input: { query: "+tide" }, output: { matches: [], unlisted: 2 } },
]

/** Finds tools that are not in the prompt. */
export const toolSearch = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("../ui/found-faces.js"),
})
