import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { isInside } from "@haft/contract"

/** Where programs are looked for, and where none is taken from. */
export interface FindOptions {
  /** The search path, as a variable says it or as a list of folders. */
  readonly path: string | readonly string[]
  /** Folders that a model can write to: a program in there is somebody's file, not one of the machine's. */
  readonly roots: readonly string[]
}

/** The absolute path of a program outside every root, or undefined. */
export function findProgram(program: string, options: FindOptions): string | undefined {
  for (const found of programsOn(program, options)) return found
  return undefined
}

/** The absolute paths of all programs of this name outside every root, in the order of the search path. */
export function* programsOn(program: string, { path, roots }: FindOptions): Generator<string> {
  if (program === "" || program.includes("\0")) return
  for (const candidate of candidates(program, path)) if (isProgramOutside(candidate, roots)) yield candidate
}

function candidates(program: string, path: string | readonly string[]): readonly string[] {
  if (isAbsolute(program)) return [program]
  if (/[/\\]/.test(program)) return []
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""]
  const folders = (typeof path === "string" ? path.split(delimiter) : path).filter((folder) => isAbsolute(folder))
  return folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
}

/**
 * Whether a program is there that no model can have written. Asked in place: a question is a microsecond, and the way to
 * another thread and back costs far more on a busy machine.
 */
export function isProgramOutside(path: string, roots: readonly string[]): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    // Both the name and what it leads to: a link in a root may be changed to lead anywhere.
    const resolved = realpathSync.native(path)
    return !roots.some((root) => isInside(path, root) || isInside(resolved, root))
  } catch {
    return false
  }
}
