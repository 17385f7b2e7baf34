import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { liesIn } from "../files/walk/root-set.js"

/** Where programs are looked for, and where none is taken from. */
export interface FindOptions {
  /** The search path. */
  readonly path: string
  /** Folders that a model can write to: a program in there is somebody's file, not one of the machine's. */
  readonly roots: readonly string[]
}

/** The absolute path of a program outside every root, or undefined. */
export async function findProgram(program: string, options: FindOptions): Promise<string | undefined> {
  for (const found of programsOn(program, options)) return found
  return undefined
}

/** The absolute paths of all programs of this name outside every root, in the order of the search path. */
export function* programsOn(program: string, { path, roots }: FindOptions): Generator<string> {
  if (program === "" || program.includes("\0")) return
  for (const candidate of candidates(program, path)) if (isProgramOutside(candidate, roots)) yield candidate
}

/**
 * Finds programs and remembers where, as a shell does: a place is looked at again each time, and only when it does not
 * hold the program any more, or lies in a root by now, is the whole path searched.
 */
export function createProgramFinder(options: FindOptions): (program: string) => Promise<string | undefined> {
  const places = new Map<string, string>()
  return async (program) => {
    const place = places.get(program)
    if (place !== undefined && isProgramOutside(place, options.roots)) return place
    const found = await findProgram(program, options)
    if (found === undefined) places.delete(program)
    else if (places.has(program) || places.size < mostRemembered) places.set(program, found)
    return found
  }
}

// Far more than anybody looks for; what comes on top is searched each time.
const mostRemembered = 100

function candidates(program: string, path: string): readonly string[] {
  if (isAbsolute(program)) return [program]
  if (/[/\\]/.test(program)) return []
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""]
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
}

/** Asked in place: a question is a microsecond, and the way to another thread and back costs far more on a busy machine. */
function isProgramOutside(path: string, roots: readonly string[]): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    // Both the name and what it leads to: a link in a root may be changed to lead anywhere.
    const resolved = realpathSync.native(path)
    return !roots.some((root) => liesIn(root, path) || liesIn(root, resolved))
  } catch {
    return false
  }
}
