import { ToolError } from "@haft/contract"
import * as z from "zod"
import { type Issue, problemSentences } from "../call/argument-problems.js"

/** The shape that a host wants the final object of a run to have. */
export interface FinalOutput {
  readonly schema: Readonly<Record<string, unknown>>
  /** What keeps a value from fitting, one sentence each. */
  problems(value: unknown): readonly string[]
}

/** Reads a JSON Schema (2020-12) of the host; one that cannot be read stops the start. */
export function finalOutput(schema: Readonly<Record<string, unknown>>): FinalOutput {
  const compiled = compile(schema)
  return {
    schema,
    problems(value) {
      const parsed = compiled.safeParse(value)
      if (parsed.success) return []
      return problemSentences(parsed.error.issues as unknown as readonly Issue[], value)
    },
  }
}

function compile(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError("invalid_args", `Cannot use the output schema: ${reason}`)
  }
}
