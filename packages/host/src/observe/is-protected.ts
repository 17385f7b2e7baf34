import { sep } from "node:path"
import { protectedNames } from "../sandbox/protected/protected-names.js"

const patterns = protectedNames.map((name) => name.split("/"))

/** Whether a path below a root is, or lies in, a name that other programs obey, at any depth. */
export function isProtected(pathInRoot: string): boolean {
  const parts = pathInRoot.split(sep)
  return parts.some((_, start) => patterns.some((pattern) => beginsWith(parts, start, pattern)))
}

function beginsWith(parts: readonly string[], start: number, pattern: readonly string[]): boolean {
  return pattern.every((wanted, index) => {
    const part = parts[start + index]
    return part !== undefined && (wanted === "*" || part === wanted)
  })
}
