import { type Execute, ToolError } from "@haft/contract"
import { jobData } from "@haft/tools/shell/shared/jobs/job-data.js"
import { findPowershell } from "@haft/tools/shell/shared/powershell/find-powershell.js"
import { powershellArgv } from "@haft/tools/shell/shared/powershell/powershell-argv.js"
import { checkArgument } from "@haft/tools/shell/shared/run-command.js"
import type { manifest } from "./index.js"

/** Starts the command in PowerShell as it was judged; a machine without one is an error now and not a job that dies. */
export const execute: Execute<typeof manifest> = async ({ command }, { commands, jobs }) => {
  checkArgument(command, "command")
  const program = await findPowershell(commands)
  if (program === undefined) throw missing()
  return jobData(await jobs.start({ argv: powershellArgv(program, command), label: command }))
}

function missing(): ToolError {
  return new ToolError("not_configured", "Cannot start PowerShell: neither pwsh nor powershell is on this machine", {
    hint: { say: "Use {tool:bash} instead" },
    fix: "Install PowerShell 7 so that pwsh is on the PATH",
  })
}
