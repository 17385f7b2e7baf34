/** A value as JSON text; never fails. What JSON cannot carry becomes null, as inside of lists. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "null"
  } catch {
    // A circle, a big integer, a `toJSON` that throws.
    return "null"
  }
}

/** The same value where JSON can carry it, else null. */
export function jsonValue(value: unknown): unknown {
  return jsonText(value) === "null" ? null : value
}
