import { existsSync } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import { bestEffort } from "@haft/contract"
import type { EditedFile } from "../../config/edit-config-file.js"
import { readTextFile } from "../../config/read-text-file.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { note } from "../print.js"

/** Says so when a file that is meant for one person alone would be committed with the rest of the folder. */
export function noteUnignored(invocation: Invocation, io: Io, { path, scope }: EditedFile): void {
  if (scope !== "local") return
  const folders = foldersOfRepository(dirname(path))
  if (folders.length === 0 || folders.some((folder) => ignores(folder, path))) return
  note(invocation, io, `note: git does not ignore it; add ${basename(path)} to .gitignore`)
}

/** The folder and those above it up to the top of the work tree; none outside a repository. */
function foldersOfRepository(start: string): readonly string[] {
  const folders = [start]
  for (let folder = start; !existsSync(join(folder, ".git")); ) {
    const parent = dirname(folder)
    if (parent === folder) return []
    folders.push(parent)
    folder = parent
  }
  return folders
}

/** Reads plain lines with * and ?: enough for a note, and no git has to run for it. */
function ignores(folder: string, path: string): boolean {
  const below = relative(folder, path).split(sep).join("/")
  let ignored = false
  for (const line of linesOf(join(folder, ".gitignore"))) {
    const negated = line.startsWith("!")
    const pattern = negated ? line.slice(1) : line
    const anchored = pattern.replace(/^\*\*\//, "").includes("/")
    const matches = expressionOf(pattern).test(anchored ? below : basename(path))
    if (matches) ignored = !negated
  }
  return ignored
}

function linesOf(file: string): readonly string[] {
  const text = bestEffort("a file that cannot be read ignores nothing", () => readTextFile(file)) ?? ""
  return text.split(/\r?\n/).flatMap((line) => (line.startsWith("#") || !line.trim() ? [] : [line.trimEnd()]))
}

function expressionOf(pattern: string): RegExp {
  const body = pattern.replace(/^(?:\*\*)?\//, "").replace(/[.+^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`^${body.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}$`)
}
