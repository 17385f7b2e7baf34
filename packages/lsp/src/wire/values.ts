import { fileURLToPath, pathToFileURL } from "node:url"

/** A value as an object, or undefined; what a server sends is never trusted to have a shape. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined
  return value as Record<string, unknown>
}

/** A value as a list; anything else is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A value as a text of at most `maxLength` characters, or undefined. */
export function textOf(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string") return undefined
  // Not between the two halves of a pair.
  return value.length <= maxLength ? value : `${value.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}...`
}

/** A value as a number that counts something from 0, or undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The address of a file as servers know it. */
export function fileUri(path: string): string {
  return pathToFileURL(path).href
}

/** The path behind an address; undefined when it is no file of this machine. Servers differ in what they escape. */
export function pathOfUri(uri: unknown): string | undefined {
  if (typeof uri !== "string" || uri.length > 8192 || !/^file:/i.test(uri)) return undefined
  try {
    const path = fileURLToPath(uri)
    return path.includes("\0") ? undefined : path
  } catch {
    return undefined
  }
}
