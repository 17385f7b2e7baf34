import { ToolError } from "@haft/contract"
import { malformed } from "./malformed.js"
import { namesOfGitLine, readName, withoutPrefixes } from "./patch-path.js"

/** The header of a file in a patch, before its hunks. */
export interface FileHeader {
  /** Undefined for a new file. */
  readonly oldPath: string | undefined
  /** Undefined for a file that goes. */
  readonly newPath: string | undefined
  readonly isRename: boolean
  /** What the patch asks for and cannot be done, where the rest of it can. */
  readonly note?: string
  /** The line after the header. */
  readonly next: number
}

/** Reads the header that begins at a line; undefined when none does. */
export function readFileHeader(lines: readonly string[], at: number): FileHeader | undefined {
  const first = lines[at]!
  if (first.startsWith("diff --git ")) return readGitHeader(lines, at)
  if (!first.startsWith("--- ") || !lines[at + 1]?.startsWith("+++ ")) return undefined
  const names = withoutPrefixes(readName(first.slice(4), at + 1), readName(lines[at + 1]!.slice(4), at + 2))
  return { ...names, isRename: false, next: at + 2 }
}

function readGitHeader(lines: readonly string[], at: number): FileHeader {
  const fields = new Map<string, string>()
  let next = at + 1
  for (; next < lines.length; next += 1) {
    const line = lines[next]!
    if (/^(?:GIT binary patch|Binary files )/.test(line)) throw unsupported("it changes a binary file", next + 1)
    const field = extendedHeader.exec(line)
    if (!field) break
    fields.set(field[1]!, field[2]!)
  }
  checkFields(fields, at + 1)
  const named = lines[next]?.startsWith("--- ") && lines[next + 1]?.startsWith("+++ ")
  const from = fields.get("rename from")
  const to = fields.get("rename to")
  const end = named ? next + 2 : next
  const note = modeNote(fields)
  if (from !== undefined && to !== undefined) {
    const [oldPath, newPath] = [readName(from, at + 1), readName(to, at + 1)]
    return { oldPath, newPath, isRename: true, ...note, next: end }
  }
  const names = named
    ? withoutPrefixes(readName(lines[next]!.slice(4), next + 1), readName(lines[next + 1]!.slice(4), next + 2))
    : namesOfGitLine(lines[at]!.slice("diff --git ".length), at + 1)
  return {
    oldPath: fields.has("new file mode") ? undefined : names.oldPath,
    newPath: fields.has("deleted file mode") ? undefined : names.newPath,
    isRename: false,
    ...note,
    next: end,
  }
}

const extendedHeader =
  /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) (.*)$/

function checkFields(fields: ReadonlyMap<string, string>, patchLine: number): void {
  if (fields.has("copy from") || fields.has("copy to"))
    throw unsupported("it copies a file; add the copy instead", patchLine)
  if (fields.has("rename from") !== fields.has("rename to")) {
    throw malformed('"rename from" and "rename to" belong together', patchLine)
  }
  for (const key of ["old mode", "new mode", "deleted file mode", "new file mode"]) {
    const mode = fields.get(key)
    if (mode?.startsWith("120")) throw unsupported("it changes a symbolic link", patchLine)
    if (mode?.startsWith("160")) throw unsupported("it changes a submodule", patchLine)
  }
}

function modeNote(fields: ReadonlyMap<string, string>): { readonly note?: string } {
  const mode = fields.get("new mode") ?? fields.get("new file mode")
  const isPlain = mode === undefined || (mode.endsWith("644") && fields.has("new file mode"))
  return isPlain ? {} : { note: `its mode ${mode} was not set` }
}

function unsupported(reason: string, patchLine: number): ToolError {
  return new ToolError("unsupported", `Cannot use the patch: line ${patchLine}: ${reason}`, {
    details: { patch_line: patchLine },
  })
}
