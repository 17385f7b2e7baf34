import { visibleLine } from "@haft/guard"
import { shortPath } from "../../config/places.js"
import { table } from "../../terminal/columns.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { note, printRows } from "../print.js"
import { setUp } from "../setup.js"
import { skillsHere } from "./skills-here.js"

/** `haft skill list`: name, source and description; what is wrong with others goes to standard error. */
export const run: Run = async (invocation, io) => {
  const setup = await setUp(invocation, io)
  const skills = skillsHere(setup)
  const list = await skills.list()
  for (const { path, problem } of await skills.problems()) {
    note(invocation, io, `note: ${shortPath(path, setup.places.userHome)}: ${problem}`)
  }
  const rows = list.map(({ tools = [], allowedTools, ...entry }) => ({
    ...entry,
    allowed_tools: allowedTools,
    tools: tools.map(({ name }) => name),
  }))
  printRows(invocation, io, rows, (style) => {
    const lines = list.map(({ name, source, description }) => [name, source, visibleLine(description)])
    return [
      table(["SKILL", "FROM", "WHEN TO USE"], lines, style),
      "",
      style.dim(style.say`Put your own into .agents/skills/NAME/SKILL.md. One of them: haft skill show NAME`),
    ].join("\n")
  })
  return exitCodes.ok
}
