import { type BaseContext, type Commands, isWindowsPath, ToolError } from "@haft/contract"
import { tooLong } from "./limits.js"
import { type CommandData, commandData } from "./output/command-data.js"
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

/** A program with its time limit. */
export interface Program {
  readonly argv: readonly string[]
  readonly timeoutMs: number
  readonly directory?: string
}

/** Runs a program to its end: emits output while it comes; what does not fit stays in the file of the port. */
export async function runToEnd(
  program: Program,
  { commands, emit, limit, setSidecar }: Pick<BaseContext, "emit" | "limit" | "setSidecar"> & { commands: Commands },
): Promise<CommandData> {
  const outcome = await commands.run({ ...program, keepBytes: limit, onOutput: (_stream, text) => emit(text) })
  if (outcome.outputPath !== undefined) setSidecar(outcome.outputPath)
  return commandData(outcome, limit)
}

// The longest argument that Linux takes, its closing NUL not counted.
const maxArgumentBytes = 131_071

/** Refuses text that could not reach a program exactly as it was judged. */
export function checkArgument(text: string, what: "command" | "argument"): void {
  if (text.includes("\0")) throw unfit(what, "it holds a NUL character")
  if (!text.isWellFormed()) throw unfit(what, "it holds half of a character")
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxArgumentBytes) throw tooLong(bytes, maxArgumentBytes)
}

function unfit(what: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot run the ${what}: ${reason}; leave that out`)
}
