import { type BoxOutcome, type Execute, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Runs the command in a machine; any exit code is a result, a machine that cannot be had is a refusal. */
export const execute: Execute<typeof manifest> = async (input, { box, emit, limit, signal }) => {
  if (input.command.includes("\0") || !input.command.isWellFormed()) {
    throw new ToolError(
      "invalid_args",
      "Cannot run the command: it is no valid text; leave out NUL and half characters",
    )
  }
  const outcome = await box.run({
    command: input.command,
    // Without a name the host's own default holds.
    image: input.image ?? "",
    timeoutMs: input.timeout,
    files: input.files,
    keepBytes: limit,
    signal,
    onOutput: (_stream, text) => emit(text),
  })
  return {
    ok: true as const,
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    exit_code: outcome.exitCode,
    timed_out: outcome.timedOut,
    isolation: isolationField(outcome.isolation),
    ms: { boot: outcome.bootMs, run: outcome.runMs },
  }
}

function isolationField({ nestedIn, ...isolation }: BoxOutcome["isolation"]) {
  return { ...isolation, nested_in: nestedIn }
}
