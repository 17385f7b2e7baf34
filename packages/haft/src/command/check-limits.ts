import { nearestNames, ToolError } from "@haft/contract"
import type { Configuration } from "../config/load-configuration.js"
import { toolDescriptions } from "./tool-descriptions.js"

const prefix = "limits."

/** Refuses an output limit for a tool that does not exist: the user believes that something was tightened. */
export function checkLimits({ sayings }: Pick<Configuration, "sayings">): void {
  for (const { key, source } of sayings) {
    const problem = limitProblem(key)
    if (!problem) continue
    const { reason, hint } = problem
    throw new ToolError("not_configured", `Cannot use "${key}" from ${source}: ${reason}`, { hint })
  }
}

/** What is wrong with the key of a limit; undefined for any other key. */
export function limitProblem(key: string): { readonly reason: string; readonly hint: string } | undefined {
  if (!key.startsWith(prefix)) return undefined
  const tool = key.slice(prefix.length)
  // The tools of foreign servers, written server:tool, are not known before the servers answer.
  if (tool.includes(":")) return undefined
  const known = toolDescriptions().map(({ id }) => id)
  if (known.includes(tool)) return undefined
  const [near] = nearestNames(tool, known, 1)
  return {
    reason: `there is no tool "${tool}"`,
    hint: near === undefined ? "See the tools with: haft tools" : `Did you mean "${prefix}${near}"?`,
  }
}
