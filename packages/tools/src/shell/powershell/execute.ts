import { type Execute, ToolError } from "@haft/contract"
import { findPowershell } from "../shared/powershell/find-powershell.js"
import { powershellArgv } from "../shared/powershell/powershell-argv.js"
import { checkArgument, runToEnd } from "../shared/run-command.js"
import type { manifest } from "./index.js"

/** Hands the command to PowerShell as it was judged; any exit code is a result. */
export const execute: Execute<typeof manifest> = async ({ command, timeout, description }, context) => {
  checkArgument(command, "command")
  if (description !== undefined) context.setState({ description })
  const program = await findPowershell(context.commands)
  if (program === undefined) throw missing()
  return runToEnd({ argv: powershellArgv(program, command), timeoutMs: timeout }, context)
}

function missing(): ToolError {
  return new ToolError("not_configured", "Cannot run PowerShell: neither pwsh nor powershell is on this machine", {
    hint: { say: "Use {tool:bash} instead" },
    fix: "Install PowerShell 7 so that pwsh is on the PATH",
  })
}
