import type { SkillEntry, Skills } from "@haft/contract"
import { findInstructions, type Instructions } from "./find-instructions.js"
import type { InstructionsRequest } from "./instruction-places.js"

/** What a session begins with besides the paragraphs of its toolsets. */
export interface SessionPrompt {
  readonly text: string
  readonly warnings: readonly string[]
}

/**
 * The instructions of person and project, then the list of skills. Instructions are found first, at every start: what
 * a project says about itself must not depend on its skills.
 */
export async function sessionPrompt(
  request: InstructionsRequest,
  skills: Skills,
  find: (request: InstructionsRequest) => Promise<Instructions> = findInstructions,
): Promise<SessionPrompt> {
  const { text, warnings } = await find(request)
  const list = skillList(await skills.list())
  return { text: [text, list].filter((part) => part !== "").join("\n\n"), warnings }
}

/** A line for each skill: its name and when to use it, never its body. */
export function skillList(skills: readonly SkillEntry[]): string {
  if (skills.length === 0) return ""
  const lines = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, " ")}`)
  return `Skills, to be loaded with skill when one fits the task:\n${lines.join("\n")}`
}
