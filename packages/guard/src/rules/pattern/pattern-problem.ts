import { ToolError } from "@haft/contract"

/** Why a pattern cannot be used, and what to write instead. */
export interface PatternProblem {
  readonly reason: string
  readonly fix: string
}

/** An error about a pattern; the caller that knows the rule words it again with the rule's name and place. */
export function patternError(pattern: string, problem: PatternProblem): ToolError {
  return new ToolError("invalid_args", `Cannot use the pattern "${pattern}": ${problem.reason}; ${problem.fix}`, {
    details: problem,
  })
}

/** The problem behind an error of this package, if it is one about a pattern. */
export function problemOf(error: unknown): PatternProblem | undefined {
  if (!ToolError.is(error) || error.code !== "invalid_args") return undefined
  const details = error.details as Partial<PatternProblem> | undefined
  if (details?.reason !== undefined && details.fix !== undefined) return { reason: details.reason, fix: details.fix }
  return undefined
}
