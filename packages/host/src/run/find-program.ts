import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import { isInside, type SandboxSpec } from "@haft/contract"
import type { CommandSandboxes } from "../sandbox/sandbox.js"

/** What programs for commands are found by. */
export interface FinderOptions extends Omit<FindOptions, "path"> {
  /** Tells which of several programs of a name a sandbox shows; without it the first is taken. */
  readonly sandboxes: Pick<CommandSandboxes, "shows">
  /** The search path of this process by default. */
  readonly path?: string
}

/** The program that a command behind this sandbox gets by one of these names, the better name first. */
export type ProgramFinder = (
  names: string | readonly string[],
  sandbox: Pick<SandboxSpec, "unconfined">,
) => Promise<string | undefined>

/**
 * Finds programs for commands: the first on the search path that the sandbox shows, because one that it does not show would
 * only be refused; where it shows none, the first, so that the refusal can name it. Remembers where, as a shell does: a
 * place is looked at again each time, and only when it does not hold the program any more, or lies in a root by now, is
 * the whole path searched.
 */
export function createProgramFinder({ path = pathHere(), roots, sandboxes }: FinderOptions): ProgramFinder {
  const places = new Map<string, string>()
  return async (names, sandbox) => {
    const key = JSON.stringify([sandbox.unconfined, names])
    const place = places.get(key)
    if (place !== undefined && isProgramOutside(place, roots)) return place
    const found = [names].flat().flatMap((name) => [...programsOn(name, { path, roots })])
    const shown = await firstShown(found, async (each) => (await sandboxes.shows?.(each, sandbox)) ?? true)
    if (shown === undefined) places.delete(key)
    else if (places.has(key) || places.size < mostRemembered) places.set(key, shown)
    return shown
  }
}

// Far more than anybody looks for; what comes on top is searched each time.
const mostRemembered = 100

async function firstShown(
  programs: readonly string[],
  isShown: (program: string) => Promise<boolean>,
): Promise<string | undefined> {
  // Where there is no choice nothing has to be found out about sandboxes, which takes a while before the first of them.
  if (new Set(programs.map((program) => realpathSync.native(dirname(program)))).size <= 1) return programs[0]
  for (const program of programs) if (await isShown(program)) return program
  return programs[0]
}

function pathHere(): string {
  return process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"
}

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
function* programsOn(program: string, { path, roots }: FindOptions): Generator<string> {
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
function isProgramOutside(path: string, roots: readonly string[]): boolean {
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
