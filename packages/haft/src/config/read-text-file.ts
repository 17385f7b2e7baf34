import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs"
import { ToolError } from "@haft/contract"

// Far above any configuration that people write; a bigger file is a mistake or an attack.
const maxBytes = 1_000_000

/** The text of a configuration file, or undefined when there is none. A FIFO or device never blocks the start. */
export function readTextFile(path: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw unreadable(path, `it cannot be opened (${code})`)
  }
  try {
    const stats = fstatSync(descriptor)
    // The sandbox of a running command holds the name of an absent file with an empty directory, also for other processes.
    if (stats.isDirectory() && readdirSync(path).length === 0) return undefined
    if (!stats.isFile()) throw unreadable(path, "it is not a regular file")
    if (stats.size > maxBytes) throw unreadable(path, `it is larger than ${maxBytes} bytes`)
    return decode(path, readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(path, "it is not UTF-8")
  }
}

function unreadable(path: string, reason: string): ToolError {
  return new ToolError("not_configured", `Cannot read "${path}": ${reason}`, { hint: "Correct or remove the file" })
}
