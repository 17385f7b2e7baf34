import type { Execute, Skill } from "@haft/contract"
import type { manifest } from "./index.js"

/** Loads the body; the host keeps it, so a second call gives the same text. */
export const execute: Execute<typeof manifest> = async ({ name }, { skills, setState }) => {
  const skill = await skills.load(name)
  const { description, path, kind, source, allowedTools, body, text } = skill
  setState({ path, description, kind, source, allowedTools, body, text })
  return { name: skill.name, content: wrapSkill(skill) }
}

/** The body between marks that never change, so that it differs from everything else in a long conversation. */
export function wrapSkill({ name, body, path }: Pick<Skill, "name" | "body" | "path">): string {
  // A mark inside the text would let it pretend that the skill has ended.
  const inside = body.replace(/<(\/?)(skill_content)/gi, "&lt;$1$2").trim()
  const folder = path.replace(/[/\\][^/\\]*$/, "")
  return `<skill_content name="${attribute(name)}">\n${inside}\n</skill_content>\nFolder of this skill: ${folder}`
}

function attribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replace(/\s+/g, " ")
}
