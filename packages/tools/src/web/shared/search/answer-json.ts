import { type HttpResponse, ToolError } from "@haft/contract"
import { answerText } from "./answer-text.js"

/** The body of an answer as JSON. */
export function answerJson(answer: HttpResponse): unknown {
  try {
    return JSON.parse(answerText(answer))
  } catch (cause) {
    throw new ToolError("backend", "its answer is no JSON", { fix: endpointFix, cause })
  }
}

/** The value at a path of keys; undefined as soon as a step is missing. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  let value = json
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

/** The text at a path of keys. */
export function textAt(json: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(json, ...path)
  return typeof value === "string" ? value : undefined
}

/** The list at a path of keys, without which the answer is not what the provider promises. */
export function rowsAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const rows = valueAt(json, ...path)
  if (Array.isArray(rows)) return rows
  throw new ToolError("backend", `its answer has no list "${path.join(".")}"`, { fix: endpointFix })
}

const endpointFix = "Check webSearch.endpoints in the configuration"
