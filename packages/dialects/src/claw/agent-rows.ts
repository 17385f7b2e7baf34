import { defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { dataOf } from "../shared/parts-of-result.js"
import { canonicalToken, clawName, deferredCount, deferredNames, ourIds } from "./names.js"

interface Step {
  readonly content: string
  readonly active_form: string
  readonly status: string
}

/** `TodoWrite`: several steps may be in progress; a list that is all completed is cleared. */
export const todoWriteRow = defineDialectTool({
  name: "TodoWrite",
  tool: "todo_write",
  description: "Update the structured task list for the current session.",
  input: z.strictObject({
    todos: z.array(
      z.strictObject({
        content: z.string(),
        activeForm: z.string(),
        status: z.enum(["pending", "in_progress", "completed"]),
      }),
    ),
  }),
  keys: { active_form: "activeForm" },
  toArguments: ({ todos }) => ({
    todos: todos.map(({ content, activeForm, status }) => ({ content, active_form: activeForm, status })),
  }),
  toValue: (result) => {
    const { old_todos, new_todos, verification_nudge_needed } = dataOf<{
      readonly old_todos: readonly Step[]
      readonly new_todos: readonly Step[]
      readonly verification_nudge_needed?: boolean
    }>(result)
    return {
      oldTodos: old_todos.map(todoItem),
      newTodos: new_todos.map(todoItem),
      verificationNudgeNeeded: verification_nudge_needed ?? null,
    }
  },
  tier: "workspace-write",
})

function todoItem({ content, active_form, status }: Step) {
  return { content, activeForm: active_form, status }
}

/** `Skill`: a name may begin with a slash or a dollar sign, as people type it. */
export const skillRow = defineDialectTool({
  name: "Skill",
  tool: "skill",
  description: "Load a local skill definition and its instructions.",
  input: z.strictObject({ skill: z.string().min(1), args: z.string().optional() }),
  keys: { name: "skill" },
  toArguments: ({ skill }) => ({ name: skill.trim().replace(/^[/$]+/, "") }),
  toValue: (result, { skill, args }) => {
    const { content } = dataOf<{ readonly content: string }>(result)
    const state = (result.state ?? {}) as { path?: string; description?: string; body?: string; text?: string }
    return {
      skill,
      path: state.path ?? "",
      args: args ?? null,
      description: state.description ?? null,
      prompt: state.text ?? state.body ?? content,
    }
  },
  tier: "read-only",
})

/** `Agent`: waits for the child and returns its last words, which are the result as they are. */
export const agentRow = defineDialectTool({
  name: "Agent",
  tool: "task",
  description: "Launch a specialized agent task and return its final answer.",
  input: z.strictObject({
    description: z.string().min(1),
    prompt: z.string().min(1),
    subagent_type: z.string().min(1).optional(),
    name: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
  }),
  toArguments: ({ prompt, subagent_type = "general" }) => ({ subagent_type: agentOf(subagent_type), prompt }),
  toValue: (result) => dataOf<{ readonly output: string }>(result).output,
  tier: "full-access",
})

/** The names that claw has for the agents of Haft; one of the project goes by its own. */
function agentOf(name: string): string {
  const known: Readonly<Record<string, string>> = {
    "general-purpose": "general",
    explore: "explore",
    plan: "plan",
    verification: "verify",
  }
  const lower = name.toLowerCase()
  return Object.hasOwn(known, lower) ? known[lower]! : name
}

// What has no name here is left out of the matches, so more are asked for than are wanted.
const mostMatches = 100

const selection = /^\s*select:/i

/** `ToolSearch`: names in, names out. */
export const toolSearchRow = defineDialectTool({
  name: "ToolSearch",
  tool: "find_tools",
  description: "Search for deferred or specialized tools by exact name or keywords.",
  input: z.strictObject({ query: z.string(), max_results: z.int().min(1).optional() }),
  toArguments: ({ query }) => {
    // An empty query means all of them, by name.
    const isEmpty = query.trim() === ""
    if (!isEmpty && !selection.test(query)) return { query, max_results: mostMatches }
    const names = isEmpty ? deferredNames : namesIn(query.replace(selection, ""))
    const ids = names.flatMap(ourIds)
    // One name may mean two of our tools, of which one is there.
    return { query: `select:${ids.join(",")}`, max_results: Math.max(mostMatches, ids.length) }
  },
  toValue: (result, { query, max_results = 5 }) => {
    const { matches } = dataOf<{ readonly matches: readonly string[] }>(result)
    const found = new Set(matches.flatMap((id) => clawName(id) ?? []))
    return {
      matches: [...found].slice(0, max_results),
      query,
      normalized_query: query
        .split(/[\s,]+/)
        .filter((term) => term !== "")
        .map(canonicalToken)
        .join(" "),
      total_deferred_tools: deferredCount,
      pending_mcp_servers: null,
      mcp_degraded: null,
    }
  },
  tier: "read-only",
})

function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
}
