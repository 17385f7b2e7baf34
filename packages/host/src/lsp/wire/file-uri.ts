import { fileURLToPath, pathToFileURL } from "node:url"

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
