import { type Execute, ToolError } from "@haft/contract"
import { processData } from "../shared/output/command-data.js"
import type { manifest } from "./index.js"

/** Evaluates the code; code that raises is a result with exit code 1. */
export const execute: Execute<typeof manifest> = async (
  { code, language, timeout_ms },
  { repl, limit, setSidecar, signal },
) => {
  if (code.includes("\0")) {
    throw new ToolError("invalid_args", "Cannot evaluate the code: it holds a NUL character; leave that out")
  }
  const outcome = await repl.evaluate({ language, code, timeoutMs: timeout_ms, keepBytes: limit, signal })
  if (outcome.outputPath !== undefined) setSidecar(outcome.outputPath)
  return processData(outcome, limit)
}
