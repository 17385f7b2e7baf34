import { maxJsonDepth } from "../redact/index.js"

/**
 * Writes a value as JSON with sorted keys and no spaces: equal values give equal text, whatever the order of their keys.
 * Values that JSON cannot carry are treated as JSON.stringify does; cycles and extreme depth are cut, never thrown at.
 */
export function canonicalJson(value: unknown): string {
  return write(value, []) ?? "null"
}

/** `above` are the objects that contain this value: the way to find a cycle, and the depth. */
function write(value: unknown, above: object[]): string | undefined {
  switch (typeof value) {
    case "string":
      return quote(value)
    case "number":
      return Number.isFinite(value) ? String(value) : "null"
    case "boolean":
      return value ? "true" : "false"
    case "bigint":
      return `"${value}"`
    case "object":
      return value === null ? "null" : writeObject(value, above)
    default:
      return undefined
  }
}

function writeObject(value: object, above: object[]): string | undefined {
  if (above.length >= maxJsonDepth) return '"[nested too deep to keep]"'
  if (above.includes(value)) return '"[circular]"'
  if ("toJSON" in value && typeof value.toJSON === "function") return write(value.toJSON(), above)
  above.push(value)
  const text = Array.isArray(value) ? writeItems(value, above) : writeMembers(value as Record<string, unknown>, above)
  above.pop()
  return text
}

function writeItems(items: readonly unknown[], above: object[]): string {
  let text = "["
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ","
    text += write(items[index], above) ?? "null"
  }
  return `${text}]`
}

function writeMembers(value: Readonly<Record<string, unknown>>, above: object[]): string {
  let text = "{"
  for (const key of sorted(Object.keys(value))) {
    const member = write(value[key], above)
    if (member !== undefined) text += `${text.length > 1 ? "," : ""}${quote(key)}:${member}`
  }
  return `${text}}`
}

/** Most objects come back from JSON that we wrote and are in order already. */
function sorted(keys: string[]): readonly string[] {
  for (let index = 1; index < keys.length; index++) if (keys[index - 1]! > keys[index]!) return keys.sort()
  return keys
}

const needsNoEscape = /^[ !#-[\]-~]*$/

/** The call into the engine's own JSON costs more than a short plain string is worth. */
function quote(text: string): string {
  return text.length < 64 && needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text)
}
