import { type Action, type Rule, ToolError } from "@haft/contract"
import { compileRules, formatRule, parseRule, whyNoAnswer } from "@haft/guard"
import { addRule, type EditedFile, type KeptRule } from "../../config/edit-config-file.js"
import { variablesFor } from "../../config/variables.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { note, printValue } from "../print.js"
import { type Setup, setUp } from "../setup.js"
import { unknownPermission } from "../warnings.js"
import { noteUnignored } from "./note-unignored.js"
import { scopeFile } from "./scope-file.js"

/** `haft rule add`: writes a rule into a configuration file, comments kept. */
export const run: Run = async (invocation, io) => {
  const [action, text] = invocation.operands
  const why = invocation.text("why")
  const rule: Rule = { ...parseRule(text!, actionOf(action!)), ...(why ? { why } : {}) }
  const setup = await setUp(invocation, io)
  const scope = invocation.text("scope") ?? "user"
  const { file, line, added } = keepRule(setup, rule, scope)
  printValue(invocation, io, { rule, file: file.path, line, added }, ({ say }) => {
    const [text, place] = [`${rule.action} ${formatRule(rule)}`, `${file.path}:${line}`]
    return added ? say`${text} in ${place}` : say`${text} is already in ${place}`
  })
  if (rule.action === "allow" && (scope === "project" || scope === "local")) {
    note(invocation, io, "It holds once the folder is trusted with it: haft trust")
  }
  noteUnignored(invocation, io, file)
  return exitCodes.ok
}

/** Writes a rule into the file of a scope, unless it could not be understood there. */
export function keepRule(setup: Setup, rule: Rule, scope: string): KeptRule & { readonly file: EditedFile } {
  const file = scopeFile(scope, setup)
  const unknown = unknownPermission(rule.permission)
  if (unknown !== undefined) {
    throw new ToolError("invalid_args", `Cannot add a rule for "${rule.permission}": there is no such permission`, {
      hint: unknown,
    })
  }
  // A rule that does not compile would stop every later start.
  compileRules([{ ...rule, source: { scope: "flag" } }], variablesFor(setup))
  const objection = scope === "answers" ? whyNoAnswer(rule) : undefined
  if (objection !== undefined) {
    throw new ToolError("invalid_args", `Cannot keep ${formatRule(rule)} among the answers: ${objection}`, {
      hint: "A rule that holds whatever the text or the method is goes into your own configuration: --scope user",
    })
  }
  return { file, ...addRule(file, rule, scope === "answers" ? setup.roots[0] : undefined) }
}

/** The action that a person named. */
export function actionOf(text: string): Action {
  if (text === "allow" || text === "deny" || text === "ask") return text
  throw new ToolError("invalid_args", `Cannot use "${text}" as an action: it must be allow, deny or ask`, {
    hint: "As in: haft rule add deny 'fs.read(**/*.sqlite)'",
  })
}
