import { unwrapPatch } from "../shared/diff/unwrap-patch.js"
import type { FilePatch } from "./file-patch.js"
import { malformed } from "./malformed.js"
import { isBeginLine, parseEnvelope } from "./parse-envelope.js"
import { parseUnified } from "./parse-unified.js"

/** Files that one patch may name. */
const maxFiles = 1000

/** Reads a patch of either form. Pure; a patch that cannot be read is `invalid_args`. */
export function parsePatch(patch: string): readonly FilePatch[] {
  const lines = unwrapPatch(linesOfPatch(patch), malformed)
  const first = lines.findIndex((line) => line.trim() !== "")
  const files = isBeginLine(lines[first] ?? "") ? parseEnvelope(lines, first) : parseUnified(lines)
  if (files.length === 0) throw malformed("it names no file")
  if (files.length > maxFiles) throw malformed(`it names ${files.length} files, ${maxFiles} are allowed; split it`)
  checkPaths(files)
  return files
}

/** A patch whose very headers end in CRLF was carried in CRLF: the carriage returns are none of the files'. */
function linesOfPatch(patch: string): readonly string[] {
  const lines = patch.split("\n")
  if (lines.at(-1) === "") lines.pop()
  const isCarried = lines.find((line) => header.test(line))?.endsWith("\r") ?? false
  return isCarried ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines
}

const header = /^(?:@@|\*\*\* |diff --git |--- )/

function checkPaths(files: readonly FilePatch[]): void {
  const seen = new Set<string>()
  for (const file of files) {
    for (const path of file.action === "update" && file.to !== undefined ? [file.path, file.to] : [file.path]) {
      if (path === "" || path.endsWith("/")) throw malformed(`"${path}" is no name of a file`)
      if (path.includes("\0")) throw malformed(`"${path.replaceAll("\0", "\\0")}" has a NUL character`)
      const key = path.replace(/^(?:\.\/+)+/, "").replace(/\/(?:\.?\/)+/g, "/")
      if (seen.has(key)) throw malformed(`it names "${path}" twice; put all changes of a file under one header`)
      seen.add(key)
    }
  }
}
