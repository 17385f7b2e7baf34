import type { SkillEntry, SkillTool, ToolDefinition } from "@haft/contract"
import { commandTool } from "./command-tool.js"
import { httpTool } from "./http-tool.js"
import { schemaOfParameters } from "./schema-of-parameters.js"

/** What the tools of a skill become. */
export interface SkillTools {
  readonly tools: readonly ToolDefinition[]
  /** Ids of catalogue tools that the skill asks to be visible. */
  readonly visible: readonly string[]
  /** Tools that cannot be offered, one sentence each. */
  readonly problems: readonly string[]
}

/** Makes ordinary tools of what a skill describes: judged, bounded and recorded like any other. */
export function skillTools({ name: skill, tools: described = [] }: Pick<SkillEntry, "name" | "tools">): SkillTools {
  const tools: ToolDefinition[] = []
  const visible: string[] = []
  const problems: string[] = []
  for (const tool of described) {
    if (tool.backend.type === "builtin") visible.push(tool.backend.tool)
    else {
      try {
        tools.push(definitionOf(skill, tool))
      } catch (error) {
        problems.push(`tool "${tool.name}" of skill "${skill}" is left out: ${(error as Error).message}`)
      }
    }
  }
  return { tools, visible, problems }
}

/** The id of a tool of a skill. */
export function skillToolId(skill: string, tool: string): string {
  return `skill__${skill.toLowerCase().replace(/[^a-z0-9-]/g, "_")}__${tool}`
}

function definitionOf(skill: string, { name, description, parameters, backend }: SkillTool): ToolDefinition {
  const described = {
    id: skillToolId(skill, name),
    title: `${skill}: ${name}`,
    description: `${description} (of the skill ${skill})`,
    input: schemaOfParameters(parameters),
  }
  switch (backend.type) {
    case "script":
    case "binary":
      return commandTool(described, backend)
    case "http":
      return httpTool(described, backend)
    case "builtin":
      throw new Error("a builtin has no definition of its own")
  }
}
