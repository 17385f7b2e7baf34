import { ToolError } from "@haft/contract"
import { formatRule, parseRule } from "@haft/guard"
import { removeRules } from "../../config/edit-config-file.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { setUp } from "../setup.js"
import { actionOf } from "./add.js"
import { scopeFile } from "./scope-file.js"

/** `haft rule remove`: takes a rule out of a configuration file, comments kept. */
export const run: Run = async (invocation, io) => {
  const [text, action] = [...invocation.operands].reverse() as [string, string?]
  const wanted = formatRule(parseRule(text, "allow"))
  const wantedAction = action === undefined ? undefined : actionOf(action)
  const setup = await setUp(invocation, io)
  const file = scopeFile(invocation.text("scope") ?? "user", setup)
  const removed = removeRules(
    file,
    (rule) => formatRule(rule) === wanted && (wantedAction ?? rule.action) === rule.action,
  )
  if (removed === 0) {
    throw new ToolError("not_found", `Cannot remove "${wanted}": ${file.path} has no such rule`, {
      hint: "See where it is with: haft rule list; choose the file with --scope",
    })
  }
  printValue(invocation, io, { removed, file: file.path }, ({ say }) => say`removed ${removed} from ${file.path}`)
  return exitCodes.ok
}
