import { type BoxOutcome, type Execute, ToolError } from "@haft/contract"
import { fitStreams } from "../shared/output/command-data.js"
import type { manifest } from "./index.js"

/** Runs the command in a machine; any exit code is a result, a machine that cannot be had is a refusal. */
export const execute: Execute<typeof manifest> = async (input, { box, emit, limit, setSidecar, signal }) => {
  if (input.command.includes("\0") || !input.command.isWellFormed()) {
    throw new ToolError(
      "invalid_args",
      "Cannot run the command: it is no valid text; leave out NUL and half characters",
    )
  }
  const outcome = await box.run({
    command: input.command,
    ...(input.image !== undefined && { image: input.image }),
    timeoutMs: input.timeout,
    files: input.files,
    keepBytes: limit,
    signal,
    onOutput: (_stream, text) => emit(text),
  })
  if (outcome.outputPath !== undefined) setSidecar(outcome.outputPath)
  return {
    ok: true as const,
    ...fitStreams(outcome, limit),
    exit_code: outcome.exitCode,
    timed_out: outcome.timedOut,
    isolation: isolationField(outcome.isolation),
    ms: { boot: outcome.bootMs, run: outcome.runMs },
  }
}

function isolationField({ nestedIn, ...isolation }: BoxOutcome["isolation"]) {
  return { ...isolation, nested_in: nestedIn }
}
