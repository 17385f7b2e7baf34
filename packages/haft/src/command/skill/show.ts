import type { Skill } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { columns } from "../../terminal/columns.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { setUp } from "../setup.js"
import { skillsHere } from "./skills-here.js"

/** `haft skill show`: the facts about a skill, then its text. */
export const run: Run = async (invocation, io) => {
  const skill = await skillsHere(await setUp(invocation, io)).load(invocation.operands[0]!)
  const { tools = [], allowedTools, ...rest } = skill
  printValue(invocation, io, { ...rest, allowed_tools: allowedTools, tools }, (style) => {
    const facts = factsOf(skill, style).map(([name, value]) => [style.bold(name), visibleLine(value)])
    return `${columns(facts)}\n\n${skill.body}`
  })
  return exitCodes.ok
}

function factsOf(
  { name, description, kind, source, path, version, tags, allowedTools, tools = [] }: Skill,
  { say }: Style,
) {
  const facts: readonly (readonly [string, string])[] = [
    [say`name`, name],
    [say`description`, description],
    [say`kind`, kind],
    [say`from`, `${source}, ${path}`],
    [say`version`, version ?? ""],
    [say`tags`, tags.join(", ")],
    // A wish of the skill: it grants nothing.
    [say`asks for`, allowedTools.join(", ")],
    [say`tools`, tools.map((tool) => `${tool.name} (${tool.backend.type})`).join(", ")],
  ]
  return facts.filter(([, value]) => value !== "")
}
