import { type Commands, isWindowsPath, ToolError } from "@haft/contract"
import { checkArgument } from "./check-argument.js"
import { findPowershell } from "./powershell/find-powershell.js"
import { powershellArgv } from "./powershell/powershell-argv.js"

/** How this machine's shell runs a command line: bash, and PowerShell on Windows, whatever bash is installed there. */
export async function shellArgv(command: string, commands: Commands): Promise<readonly string[]> {
  checkArgument(command, "command")
  const bash = await commands.find("bash")
  if (bash !== undefined && !isWindowsPath(bash)) return [bash, ...bashOptions, command, "bash"]
  const powershell = await findPowershell(commands)
  if (powershell !== undefined && isWindowsPath(powershell)) return powershellArgv(powershell, command)
  throw new ToolError("not_configured", "Cannot run the command: no shell was found on this machine", {
    fix: "Install bash (on Windows PowerShell) and see that it is on the PATH",
  })
}

// Bash reads a start file when its input is a socket, as pipes may be; `--` keeps a line like "-x" from being an option.
const bashOptions = ["--norc", "-c", "--"]
