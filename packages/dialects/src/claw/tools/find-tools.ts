import {
  defineManifest,
  defineTool,
  type Example,
  type Execute,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const manifest = defineManifest({
  id: "find_tools",
  title: "Find tools",
  description: "Finds tools by name or by what they are for, those in the prompt too. Use when the name is not known.",
  input: z.strictObject({ query: z.string().max(1000), max_results: z.int().min(1).default(5) }),
  output: outputSchema({ matches: z.array(z.string()) }),
  requires: {},
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "matches" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "tool_search",
  finds: ({ query }, { matches }) => ({ query, ids: matches }),
})

const execute: Execute<typeof manifest> = async ({ query, max_results }, { tools }) => {
  return { matches: tools.search(query, { max: max_results, listed: true }).map(({ id }) => id) }
}

const present: Present<typeof manifest> = ({ matches }) => [text(matches.join("\n") || "No tool matches")]

const messages: ToolMessages = {
  en: { title: "Find tools", loading: "Looking for tools", done: "Looked for tools" },
  "zh-CN": { title: "查找工具", loading: "正在查找工具", done: "已查找工具" },
}

export const examples: readonly Example<typeof manifest>[] = [
  { name: "words that fit none", input: { query: "tide tables" }, output: { matches: [] } },
  { name: "a word that must occur", input: { query: "+tide" }, output: { matches: [] } },
  { name: "a name that none has", input: { query: "select:tide" }, output: { matches: [] } },
]

/** Searches all tools: claw has a list of its own of those that it calls deferred. */
export const findTools = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/ui/found-faces.js"),
})
