import { stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { findSkillFiles, loadSkillFile, skillFileName } from "@haft/project"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"

/** `haft skill check`: what is wrong with a SKILL.md or with all below a folder, line by line. */
export const run: Run = async (invocation, io) => {
  const path = resolve(io.cwd, invocation.operands[0]!)
  const rows: Row[] = []
  const files = await filesAt(path, rows)
  for (const file of files) rows.push(...(await problemsOf(file)))
  printRows(invocation, io, rows, (style) => {
    if (rows.length === 0)
      return files.length === 1 ? style.say`the skill is fine` : style.say`all ${files.length} skills are fine`
    return rows
      .map(({ file, line, problem }) => `${style.bold(`${file}:${line}`)}: ${visibleLine(style.say(problem))}`)
      .join("\n")
  })
  return rows.length === 0 ? exitCodes.ok : exitCodes.checkFailed
}

interface Row {
  readonly file: string
  readonly line: number
  readonly problem: string
}

async function filesAt(path: string, rows: Row[]): Promise<readonly string[]> {
  const facts = await bestEffort("reported below as no skill", stat(path))
  if (facts && !facts.isDirectory()) return [path]
  if (facts && (await bestEffort("the folder is searched instead", stat(join(path, skillFileName)))))
    return [join(path, skillFileName)]
  const found = facts ? await findSkillFiles({ path, source: "configured" }) : { files: [], problems: [] }
  rows.push(...found.problems.map(({ path: file, problem }) => ({ file, line: 1, problem })))
  if (found.files.length > 0 || rows.length > 0) return found.files
  throw new ToolError("not_found", `Cannot check "${path}": there is no ${skillFileName}`, {
    hint: `Name a ${skillFileName}, or a folder that has one`,
  })
}

async function problemsOf(file: string): Promise<readonly Row[]> {
  const { problems } = await loadSkillFile(file)
  const named = basename(file) === skillFileName ? [] : [{ line: 1, text: `the file must be called ${skillFileName}` }]
  return [...named, ...problems].map(({ line, text }) => ({ file, line, problem: text }))
}
