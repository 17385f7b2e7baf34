import { ToolError } from "@haft/contract"

/**
 * Refuses a value that is not the same after a round through JSON: a turn that is run again from its record would see
 * another value than the first time. `what` names the value in the message.
 */
export function requirePlainJson(value: unknown, what: string): void {
  if (isPlainJson(value)) return
  const found = findOdd(value, "", [])
  if (!found) return
  const message = `Cannot record ${what}: ${found.path === "" ? "it" : found.path} is ${found.reason}; give plain JSON`
  throw new ToolError("internal", message)
}

/** Whether a value is the same after a round through JSON. A cycle is none, nor is what is nested deeper than anybody writes. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || depth > deepest) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlainJson(value[index], depth + 1)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key of Object.keys(value))
    if (!isPlainJson((value as Record<string, unknown>)[key], depth + 1)) return false
  return true
}

const deepest = 64

interface Odd {
  readonly path: string
  readonly reason: string
}

/** `above` are the objects that contain the value. */
function findOdd(value: unknown, path: string, above: readonly object[]): Odd | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { path, reason: String(value) }
  if (typeof value !== "object") return { path, reason: `of type ${typeof value}` }
  if (above.includes(value)) return { path, reason: "a cycle" }
  const inside = [...above, value]
  if (Array.isArray(value)) return firstOdd(value.entries(), path, inside)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    return { path, reason: `an instance of ${(value as object).constructor?.name ?? "a class"}` }
  }
  return firstOdd(Object.entries(value), path, inside)
}

function firstOdd(
  members: Iterable<readonly [string | number, unknown]>,
  path: string,
  inside: readonly object[],
): Odd | undefined {
  for (const [key, member] of members) {
    const odd = findOdd(member, path === "" ? String(key) : `${path}.${key}`, inside)
    if (odd) return odd
  }
  return undefined
}
