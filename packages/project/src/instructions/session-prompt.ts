import type { SkillEntry, Skills } from "@haft/contract"
import { findInstructions, type Instructions } from "./find-instructions.js"
import type { InstructionsRequest } from "./instruction-places.js"

/** What a session begins with. */
export interface SessionPrompt {
  readonly text: string
  readonly warnings: readonly string[]
}

interface SessionPromptOptions {
  /** The name of the tool that loads skills; null where there is none, and then no skill is listed. */
  readonly skillTool?: string | null
  /** How the tools work together; comes between the instructions and the skills. */
  readonly paragraphs?: string
  readonly find?: (request: InstructionsRequest) => Promise<Instructions>
}

/**
 * The instructions of person and project, the paragraphs of the toolsets, the list of skills. Instructions are found first, at every start: what
 * a project says about itself must not depend on its skills.
 */
export async function sessionPrompt(
  request: InstructionsRequest,
  skills: Skills,
  { skillTool = "skill", paragraphs = "", find = findInstructions }: SessionPromptOptions = {},
): Promise<SessionPrompt> {
  const { text, warnings } = await find(request)
  const list = skillTool === null ? "" : skillList(await skills.list(), skillTool)
  return { text: [text, paragraphs, list].filter((part) => part !== "").join("\n\n"), warnings }
}

/** A line for each skill: its name and when to use it, never its body. */
function skillList(skills: readonly SkillEntry[], skillTool: string): string {
  if (skills.length === 0) return ""
  const lines = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, " ")}`)
  return `Skills, to be loaded with ${skillTool} when one fits the task:\n${lines.join("\n")}`
}
