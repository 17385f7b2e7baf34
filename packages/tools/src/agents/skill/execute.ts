import type { Execute } from "@haft/contract"
import type { manifest } from "./index.js"
import { wrapSkill } from "./wrap-skill.js"

/** Loads the body; the host keeps it, so a second call gives the same text. */
export const execute: Execute<typeof manifest> = async ({ name }, { skills, setState }) => {
  const skill = await skills.load(name)
  const { description, path, kind, source, allowedTools, body, text } = skill
  setState({ path, description, kind, source, allowedTools, body, text })
  return { name: skill.name, content: wrapSkill(skill) }
}
