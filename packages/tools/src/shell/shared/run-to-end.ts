import type { BaseContext, Commands } from "@haft/contract"
import { type CommandData, commandData } from "./output/command-data.js"

/** A program with its time limit. */
export interface Program {
  readonly argv: readonly string[]
  readonly timeoutMs: number
  readonly directory?: string
}

/** Runs a program to its end: output is told while it comes, and what does not fit stays in the file of the port. */
export async function runToEnd(
  program: Program,
  { commands, emit, limit, setSidecar }: Pick<BaseContext, "emit" | "limit" | "setSidecar"> & { commands: Commands },
): Promise<CommandData> {
  const outcome = await commands.run({ ...program, keepBytes: limit, onOutput: (_stream, text) => emit(text) })
  if (outcome.outputPath !== undefined) setSidecar(outcome.outputPath)
  return commandData(outcome, limit)
}
