import { dirname } from "node:path"
import { ToolError } from "@haft/contract"
import { formatRule, visibleLine } from "@haft/guard"
import { addRule } from "../../config/edit-config-file.js"
import { variablesFor } from "../../config/variables.js"
import type { ImportedRow } from "../../imports/arrange.js"
import { type ForeignProgram, type ImportReport, importSettings, programs } from "../../imports/import-settings.js"
import { table } from "../../terminal/columns.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { note, printValue } from "../print.js"
import { type Setup, setUp } from "../setup.js"
import { noteUnignored } from "./note-unignored.js"
import { scopeFile } from "./scope-file.js"

/** `haft rule import PROGRAM`: what the settings of one program mean here; saved with --write. */
export const run: Run = async (invocation, io) => {
  const [name] = invocation.operands
  const program = programs.find((each) => each === name)
  if (program === undefined) {
    throw new ToolError("invalid_args", `Cannot import from "${name}": it must be one of ${programs.join(", ")}`)
  }
  const setup = await setUp(invocation, io)
  const report = importHere(setup, [program])
  printValue(invocation, io, reportValue(report), (style) => {
    return report.files.length === 0 ? style.say`No settings of ${program} were found` : rowsText(report.rows, style)
  })
  noteProblems(invocation, io, report)
  return invocation.flag("write") ? save(invocation, io, setup, report) : exitCodes.ok
}

/** Reads the settings of these programs for the first root; touches nothing. */
export function importHere(setup: Setup, wanted: readonly ForeignProgram[]): ImportReport {
  const { places, roots, configuration } = setup
  return importSettings({
    root: roots[0]!,
    userHome: places.userHome,
    configHome: dirname(places.configHome),
    programs: wanted,
    existing: configuration.rules,
    variables: variablesFor(setup),
  })
}

/** The report as one JSON value. */
export function reportValue({ files, rows, problems }: ImportReport) {
  return {
    files: files.map(({ name }) => name),
    rules: rows.map(({ entry, result, rules, note: why }) => ({
      ...{ file: entry.place.name, line: entry.line, rule: entry.text, result },
      ours: rules.map((rule) => `${rule.action} ${formatRule(rule)}`),
      ...(why !== undefined && { note: why }),
    })),
    problems,
  }
}

/** One line a rule: where it is, what it says, what it becomes. */
export function rowsText(rows: readonly ImportedRow[], style: Style): string {
  if (rows.length === 0) return style.say`They have no permission rules`
  const lines = rows.map(({ entry, result, rules, note: why }) => [
    `${entry.place.name}:${entry.line}`,
    visibleLine(entry.text, 60),
    result,
    visibleLine(
      [oursText(rules), why && style.say(why)].filter((text) => text !== undefined && text !== "").join("; "),
      120,
    ),
  ])
  return table(["WHERE", "RULE", "RESULT", "HERE"], lines, style)
}

function oursText(rules: ImportedRow["rules"]): string {
  const byPattern = new Map<string, string[]>()
  for (const { action, pattern, permission } of rules) {
    const key = `${action} %${pattern === undefined ? "" : `(${pattern})`}`
    byPattern.set(key, [...(byPattern.get(key) ?? []), permission])
  }
  return [...byPattern].map(([key, permissions]) => key.replace("%", permissions.join("|"))).join(", ")
}

export function noteProblems(invocation: Invocation, io: Io, { problems }: ImportReport): void {
  for (const { file, line, reason } of problems) {
    note(invocation, io, `problem: ${file}:${line}: ${reason}; nothing was taken from this file`)
  }
}

/** Adds the rules to the files of the folder; what is there stays. What was personal goes to the file that others do not get. */
export function save(invocation: Invocation, io: Io, setup: Setup, report: ImportReport): number {
  if (report.problems.length > 0) {
    throw new ToolError("not_configured", `Cannot save: ${report.problems[0]!.file} could not be read`, {
      hint: "A file that cannot be read may hold a deny: correct or remove it first, or import single programs with haft rule import",
    })
  }
  let isAllowed = false
  for (const scope of ["project", "local"] as const) {
    const file = scopeFile(scope, setup)
    const rules = report.rows
      .filter(({ entry }) => entry.place.personal === (scope === "local"))
      .flatMap((row) => row.rules)
    if (rules.length === 0) continue
    const added = rules.filter((rule) => addRule(file, rule).added).length
    isAllowed ||= rules.some(({ action }) => action === "allow")
    const others = added === rules.length ? "" : `; ${rules.length - added} were there`
    note(invocation, io, `${added} ${added === 1 ? "rule" : "rules"} added to ${file.path}${others}`)
    noteUnignored(invocation, io, file)
  }
  if (isAllowed) note(invocation, io, "What they allow holds once you trust the folder with it: haft trust")
  return exitCodes.ok
}
