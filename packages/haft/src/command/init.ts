import { existsSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { ForeignProblem } from "../imports/foreign-file.js"
import { programs } from "../imports/import-settings.js"
import { configuredServers, sharedFile } from "../mcp/configured-servers.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import { printValue } from "./print.js"
import { importHere, noteProblems, reportValue, rowsText, save } from "./rule/import.js"
import { checkWideRoot, type Setup, setUp } from "./setup.js"
import { skillsHere } from "./skill/skills-here.js"

/** `haft init`: what other programs left in this folder and for this user, and what it means here; saved with --write. */
export const run: Run = async (invocation, io) => {
  const setup = await setUp(invocation, io)
  await checkWideRoot(setup)
  const imported = importHere(setup, programs)
  const { servers, problems } = serversOf(setup)
  const report = { ...imported, problems: [...imported.problems, ...problems] }
  const [skills, instructions] = [await skillsOf(setup), instructionsOf(setup)]
  const value = { ...reportValue(report), servers, skills, instructions }
  printValue(invocation, io, value, (style) => {
    const lines = [
      report.files.length === 0
        ? style.say`No permission settings of Claude Code, opencode, Codex, Zed, Cursor or claw were found`
        : `${style.bold(style.say`Permissions`)}\n${rowsText(report.rows, style)}`,
    ]
    if (servers.length > 0) {
      const names = servers.map(({ name, state }) => `${visibleLine(name, 40)} (${state})`).join(", ")
      lines.push(
        `${style.bold(style.say`MCP servers`)} ${style.say`${names}; look at one and trust it with: haft mcp trust NAME`}`,
      )
    }
    if (skills.length > 0)
      lines.push(`${style.bold(style.say`Skills`)} ${skills.map((name) => visibleLine(name, 40)).join(", ")}`)
    if (instructions.length > 0)
      lines.push(`${style.bold(style.say`Instructions`)} ${style.say`${instructions.join(", ")}; read as they are`}`)
    const rules = report.rows.flatMap((row) => row.rules).length
    if (rules > 0 && !invocation.flag("write")) lines.push(style.say`Save these ${rules} rules with: haft init --write`)
    return lines.join("\n\n")
  })
  noteProblems(invocation, io, report)
  return invocation.flag("write") ? save(invocation, io, setup, report) : exitCodes.ok
}

interface FoundServers {
  readonly servers: readonly { readonly name: string; readonly state: string }[]
  readonly problems: readonly ForeignProblem[]
}

/** A broken file of servers is one problem among others here. */
function serversOf({ places, roots, configuration }: Setup): FoundServers {
  try {
    const servers = configuredServers({ places, roots, configuration }).map(({ name, state }) => ({ name, state }))
    return { servers, problems: [] }
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { servers: [], problems: [{ file: sharedFile, line: 1, reason: error.message }] }
  }
}

async function skillsOf(setup: Setup): Promise<readonly string[]> {
  const list = await skillsHere(setup).list()
  return list.filter(({ source }) => source !== "bundled").map(({ name }) => name)
}

function instructionsOf({ roots }: Setup): readonly string[] {
  return ["AGENTS.md", "CLAUDE.md"].filter((name) => roots.some((root) => existsSync(join(root, name))))
}
