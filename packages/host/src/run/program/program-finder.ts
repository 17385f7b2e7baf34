import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import type { SandboxSpec } from "@haft/contract"
import type { CommandSandboxes } from "../../sandbox/sandbox.js"
import { type FindOptions, isProgramOutside, programsOn } from "./find-program.js"

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
