import { maxJsonDepth } from "../redact/index.js"

/**
 * Writes a value as JSON and never throws: cycles and extreme depth are cut, a bigint becomes its digits.
 * Reading the text and writing it again gives the same text, so that an export can be imported with its hashes intact.
 */
export function recordJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null"
  } catch {
    // Too deep for the engine's stack, a cycle, or a bigint.
    return JSON.stringify(cut(value, [])) ?? "null"
  }
}

/** A copy that JSON can carry; `above` are the objects that contain the value. */
function cut(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return String(value)
  if (typeof value !== "object" || value === null) return value
  if (above.length >= maxJsonDepth) return "[nested too deep to keep]"
  if (above.includes(value)) return "[circular]"
  if ("toJSON" in value && typeof value.toJSON === "function") return cut(value.toJSON(), above)
  const inside = [...above, value]
  if (Array.isArray(value)) return value.map((item) => cut(item, inside))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member, inside)]))
}
