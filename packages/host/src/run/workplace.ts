import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path"
import { bestEffort, isInside, type RefusedHost, type SandboxedCall, type SandboxSpec, ToolError } from "@haft/contract"
import { destinationText } from "../address/destination.js"
import type { OnDecision } from "../proxy/decision.js"
import type { CommandSandboxes } from "../sandbox/sandbox.js"

/** Where the commands of a session may start. */
export interface Workplace {
  readonly directory: string
  readonly roots: readonly string[]
  readonly sessionFolder: string
}

/** The directory that a command starts in, links followed: inside a root or the session's scratch space. */
export async function workingDirectory(asked: string | undefined, place: Workplace): Promise<string> {
  if (asked === undefined) return place.directory
  const spelled = resolve(place.directory, asked)
  const resolved = await bestEffort("the error below names the directory", realpath(spelled))
  if (resolved === undefined || !(await stat(resolved)).isDirectory()) {
    const reason = resolved === undefined ? "it does not exist" : "it is not a directory"
    throw new ToolError("not_found", `Cannot run a command in "${asked}": ${reason}; name a directory in the workspace`)
  }
  const allowed = [...place.roots, join(place.sessionFolder, "scratch")]
  if (allowed.some((root) => isInside(resolved, root))) return resolved
  throw new ToolError(
    "denied",
    `Cannot run a command in "${asked}": it is outside the workspace; use a directory inside it`,
  )
}

// Nobody could type into an editor, and most of them wait for ever or leave a file as it was, which looks like success.
const noEditor = `sh -c 'echo "No editor can be opened here: nobody is at a terminal. Give the text with an option or a file" >&2; exit 1'`

/** Variables that keep programs from waiting for somebody to type a password, to edit or to page through a text. */
export const quietEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  EDITOR: noEditor,
  VISUAL: noEditor,
}

// A command that tries one port after the other would fill the journal; so many tell what it was after.
const maxRefused = 100

/**
 * Records where a command went and where it was not let go as effects of its call; a refused destination once, however
 * often the command tries again. The reasons are added to `refusals`.
 */
export function observeDecisions(call: Pick<SandboxedCall, "observe">, refusals: RefusedHost[] = []): OnDecision {
  const refused = new Set<string>()
  return ({ host, port, allowed, reason, fix }) => {
    if (allowed) return call.observe({ kind: "net.fetch", host, port })
    const destination = destinationText(host, port)
    if (refused.has(destination) || refused.size >= maxRefused) return
    refused.add(destination)
    refusals.push({ destination, reason, ...(fix !== undefined && { fix }) })
    call.observe({ kind: "net.fetch", host, port, refused: fix === undefined ? reason : `${reason}; ${fix}` })
  }
}

/** What programs for commands are found by. */
export interface FinderOptions extends Omit<FindOptions, "path"> {
  /** Tells which of several programs of a name a sandbox shows; without it the first is taken. */
  readonly sandboxes: Pick<CommandSandboxes, "shows">
  /** The search path of this process by default. */
  readonly path?: string
}

/** The program that a command in this sandbox gets by one of these names, the better name first. */
export type ProgramFinder = (
  names: string | readonly string[],
  sandbox: Pick<SandboxSpec, "unconfined">,
) => Promise<string | undefined>

/**
 * Finds programs for commands: the first on the search path that the sandbox shows, because one that it does not show would
 * only be refused; where it shows none, the first, so that the refusal can name it. Remembers where, as a shell does: a
 * place is looked at again each time, and only when it does not hold the program any more, or is in a root by now, is
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
    // Both the name and what it points to: a link in a root may be changed to point anywhere.
    const resolved = realpathSync.native(path)
    return !roots.some((root) => isInside(path, root) || isInside(resolved, root))
  } catch {
    return false
  }
}
