import { type Commands, type Execute, ToolError } from "@haft/contract"
import { defaultTimeoutMs } from "../shared/limits.js"
import { checkArgument, runToEnd } from "../shared/run-command.js"
import type { manifest } from "./index.js"

/** Starts the program with the words as they are; only failing to start is an error. */
export const execute: Execute<typeof manifest> = async ({ command, args, cwd }, context) => {
  for (const word of [command, ...args]) checkArgument(word, "argument")
  const argv = [await programOf(command, context.commands), ...args]
  const directory = cwd === undefined ? {} : { directory: cwd }
  return runToEnd({ argv, timeoutMs: defaultTimeoutMs, ...directory }, context)
}

/** A name becomes the machine's program of that name, never a file of the workspace; a path stays as it is. */
async function programOf(command: string, commands: Commands): Promise<string> {
  if (/[/\\]/.test(command)) return command
  const program = await commands.find(command)
  if (program !== undefined) return program
  throw new ToolError("not_found", `Cannot run "${shortened(command)}": no program of that name is on the PATH`, {
    hint: ["Give its path", { say: "Use {tool:bash} for what is built into a shell" }],
  })
}

function shortened(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}...` : command
}
