import { ToolError } from "@haft/contract"
import { setSetting } from "../../config/edit-config-file.js"
import { parseSettingText } from "../../config/setting-value.js"
import { limitProblem } from "../check-limits.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { note, printValue } from "../print.js"
import { noteUnignored } from "../rule/note-unignored.js"
import { scopeFile } from "../rule/scope-file.js"
import { setUp } from "../setup.js"
import { knownKey } from "./known-key.js"

/** `haft config set`: writes a value into a configuration file, comments kept. */
export const run: Run = async (invocation, io) => {
  const [key, text] = invocation.operands as [string, string]
  if (key === "rules")
    throw new ToolError("invalid_args", 'Cannot set "rules" as a whole', { hint: "Use: haft rule add" })
  const setting = knownKey(key)
  if (key.endsWith(".*")) throw new ToolError("invalid_args", `Cannot set "${key}": put a name in place of the *`)
  const problem = limitProblem(key)
  if (problem) throw new ToolError("invalid_args", `Cannot set "${key}": ${problem.reason}`, { hint: problem.hint })
  const value = parseSettingText(setting, key, text)
  const setup = await setUp(invocation, io)
  const scope = invocation.text("scope") ?? "user"
  if (scope === "answers") throw new ToolError("invalid_args", 'Cannot set a value in "answers": it holds rules only')
  if (setting.from === "user" && scope !== "user") {
    throw new ToolError(
      "invalid_args",
      `Cannot set "${key}" in the ${scope} file: only your own configuration may set it`,
    )
  }
  const file = scopeFile(scope, setup)
  setSetting(file, key, value)
  printValue(
    invocation,
    io,
    { key, value, file: file.path },
    ({ say }) => say`${key} = ${JSON.stringify(value)} in ${file.path}`,
  )
  if (scope !== "user" && setting.from === "trusted")
    note(invocation, io, "What it widens holds once the folder is trusted with it: haft trust")
  noteUnignored(invocation, io, file)
  return exitCodes.ok
}
