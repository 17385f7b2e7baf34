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
  id: "index_search",
  title: "Search launcher",
  description:
    "Finds applications, commands, tools, skills and workspace files by fuzzy name, most used first. Use when only part of a name is known; for contents use grep.",
  input: z.strictObject({
    query: z.string().max(500).describe("Part of a name; empty lists what is used most"),
    limit: z.int().min(0).default(10),
  }),
  output: outputSchema({
    results: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        type: z.enum(["application", "command", "file", "skill", "tool"]),
        score: z.number().describe("Fading count of uses plus match quality up to 1"),
      }),
    ),
    denied: z.int().min(1).optional().describe("Files left out because a rule denies reading them"),
  }),
  // It shows names of files, and only of those that a call may read.
  requires: { fs: { read: ["{workspace}/**"] }, capabilities: ["index"] },
  operands: ["query"],
  toolset: "launcher",
  defaults: [{ action: "allow" }],
  looksAtTools: true,
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 1_000, past: "sidecar", field: "results" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})

/** Asks the launcher's index. Searching is not using: nothing is counted. */
const execute: Execute<typeof manifest> = async ({ query, limit }, { index, signal }) => {
  const { hits, denied } = await index.search(query, { limit, signal })
  return {
    results: hits.map(({ id, name, type, score }) => ({ id, name, type, score: Math.round(score * 10_000) / 10_000 })),
    ...(denied > 0 && { denied }),
  }
}

/** A line for each thing, best first: its id, and its name where the id does not say it. */
const present: Present<typeof manifest> = ({ results, denied }) => {
  const lines = results.map(({ id, name }) =>
    id.endsWith(name) ? onOneLine(id) : `${onOneLine(id)}  ${onOneLine(name)}`,
  )
  const notes = [
    ...(results.length === 0 ? ["Nothing found"] : []),
    ...(denied === undefined ? [] : [`${denied} ${denied === 1 ? "file" : "files"} left out by rules`]),
  ]
  return [text([...lines, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n"))]
}

/** A name that holds line breaks would look like several. */
function onOneLine(name: string): string {
  return /[\n\r]/.test(name) ? JSON.stringify(name) : name
}

const messages: ToolMessages = {
  en: { title: "Search launcher", loading: "Searching the launcher", done: "Searched the launcher" },
  "zh-CN": {
    title: "搜索启动器",
    loading: "正在搜索启动器",
    done: "已搜索启动器",
    summary: "按模糊名称查找应用、命令、工具、技能和工作区文件，常用的在前",
  },
}

const files = { "src/quarterly-report.ts": "export {}\n", "notes/todo.md": "# Todo\n" }

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a file by letters of its name",
    files,
    input: { query: "qrtly-rep", limit: 1 },
    output: {
      results: [{ id: "file_src/quarterly-report.ts", name: "quarterly-report.ts", type: "file", score: 0.2705 }],
    },
  },
  {
    name: "the whole name fits best",
    files,
    input: { query: "quarterly-report.ts", limit: 1 },
    output: {
      results: [{ id: "file_src/quarterly-report.ts", name: "quarterly-report.ts", type: "file", score: 1 }],
    },
  },
  { name: "a limit of 0 gives nothing", files, input: { query: "report", limit: 0 }, output: { results: [] } },
  { name: "what nothing is called", files, input: { query: "zzqqxxjj" }, output: { results: [] } },
]

/** Finds applications, commands, tools, skills and files by name. */
export const indexSearch = defineTool({
  manifest,
  messages,
  present,
  execute: async () => ({ execute }),
  examples: async () => ({ examples }),
  faces: () => import("../ui/found-faces.js"),
})
