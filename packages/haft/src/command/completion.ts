import { ToolError } from "@haft/contract"
import type { Run } from "./command.js"
import { completionTable } from "./completion/completion-table.js"
import { exitCodes } from "./exit-code.js"
import { printText } from "./print.js"

/** `haft completion`: a script for a shell, with every command, option and tool in it. */
export const run: Run = async (invocation, io) => {
  const shell = invocation.operands[0]!
  const write = shells[shell]
  if (!write) {
    throw new ToolError("invalid_args", `Cannot complete in "${shell}": known are ${Object.keys(shells).join(", ")}`)
  }
  printText(io, (await write())(completionTable()))
  return exitCodes.ok
}

const shells: Readonly<Record<string, () => Promise<(table: ReturnType<typeof completionTable>) => string>>> = {
  bash: async () => (await import("./completion/bash.js")).bash,
  zsh: async () => (await import("./completion/zsh.js")).zsh,
  fish: async () => (await import("./completion/fish.js")).fish,
  pwsh: async () => (await import("./completion/pwsh.js")).pwsh,
}
