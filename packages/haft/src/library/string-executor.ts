import { type Dialect, type Envelope, type Projection, ToolError } from "@haft/contract"
import type { DialectResult } from "@haft/runtime"
import type { Session } from "./session.js"

/** The interface of foreign loops. */
export interface StringExecutor {
  /** Runs a tool on JSON arguments and returns what the model reads. */
  execute(name: string, inputJson: string, options?: { readonly signal?: AbortSignal }): Promise<string>
}

/** An executor over the calls of a session, in one dialect. */
export function stringExecutor(callIn: Session["callIn"], dialect: Dialect | string): StringExecutor {
  return {
    async execute(name, inputJson, { signal } = {}) {
      const options = { fromModel: true, ...(signal && { signal }) }
      return projectedText(await callIn(dialect, name, parsed(inputJson), options))
    },
  }
}

/** What that system counts as a failure is thrown with its own words. */
function projectedText({ result: { envelope }, projection }: DialectResult): string {
  if (projection.success || envelope.type === "output") return wordsOf(projection)
  // Our own words are the envelope's; the hint is a part of the error.
  throw failureOf(projection.value === envelope ? envelope : { ...envelope, error_text: projection.text })
}

function wordsOf({ text, value }: Projection): string {
  return text === "" ? JSON.stringify(value) : text
}

function failureOf({ error_text, metadata }: Envelope & { readonly type: "error" }): ToolError {
  const { error_code, hint, details } = metadata
  return new ToolError(error_code ?? "internal", error_text, { ...(hint ? { hint } : {}), details })
}

/** What is no JSON goes on as it is: the call then fails with words for the model, and is recorded. */
function parsed(inputJson: string): unknown {
  try {
    return JSON.parse(inputJson || "{}")
  } catch {
    return inputJson
  }
}
