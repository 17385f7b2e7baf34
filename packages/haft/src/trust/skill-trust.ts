import type { SkillEntry } from "@haft/contract"
import type { Configuration } from "../config/load-configuration.js"
import { entryHash } from "./entry-hash.js"
import type { Widening } from "./widenings.js"

type ToolSkill = Pick<SkillEntry, "name" | "tools">

/** Whether a person saw exactly these tools of a project's skill, scripts included, when the folder was trusted. */
export function skillTrust({ folders }: Configuration): (skill: ToolSkill) => boolean {
  return (skill) => {
    const hash = hashOf(skill)
    return folders.length > 0 && folders.some(({ trust, entries }) => trust === "trusted" && entries.has(hash))
  }
}

/** The skills of a project whose tools count only with trust. */
export function skillWidenings(skills: readonly SkillEntry[], configuration: Configuration): readonly Widening[] {
  const isTrusted = skillTrust(configuration)
  return skills
    .filter(({ source, tools = [] }) => source === "project" && tools.length > 0)
    .map((skill) => ({
      hash: hashOf(skill),
      source: skill.path,
      words: `the skill ${skill.name} brings ${skill.tools!.map(({ name, backend }) => `${name} (${backend.type})`).join(", ")}`,
      active: isTrusted(skill),
    }))
}

function hashOf({ name, tools }: ToolSkill): string {
  return entryHash("project", `skill ${name}`, tools ?? [])
}
