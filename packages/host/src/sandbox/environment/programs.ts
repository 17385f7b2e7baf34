import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { release } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { realPath } from "../../files/system/look.js"
import { findProgram } from "../../run/workplace.js"
import { shownFolders, systemFolders } from "./environment.js"

/** What the sandbox of a command shows. */
export interface ShownPrograms {
  /** The folders of PATH on this machine. */
  readonly searchPath: readonly string[]
  /** Whether a path of the machine is at the same path inside. */
  readonly isVisible: (path: string) => boolean
  /** Whether a rule covers the path: then it is not missing, and showing its folder would not help. */
  readonly isMasked: (path: string) => boolean
}

/**
 * The name under which the sandbox shows a program: the one that was given, or where its link leads. One that is on the
 * machine and not inside is refused: it would fail there with words about neither.
 */
export function shownProgram(program: string, { searchPath, isVisible, isMasked }: ShownPrograms): string {
  if (program.includes("/") && !isAbsolute(program)) return program
  const find = (path: readonly string[]) => findProgram(program, { path, roots: [] })
  if (!isAbsolute(program)) {
    const inside = shownFolders(searchPath, isVisible)
    if (inside.some((folder) => find([folder]) && isShown(join(folder, program), isVisible))) return program
  }
  const path = isAbsolute(program) ? program : find(searchPath)
  if (path === undefined || !existsSync(path)) {
    throw new ToolError("not_found", `Cannot run "${program}": there is no such program; install it or name another`)
  }
  const hidden = [path, realPath(path)].find((one) => !isVisible(one))
  if (hidden === undefined || isMasked(hidden)) return program
  const name = shownName(path, isVisible)
  if (name !== undefined) return name
  const where = hidden === program ? "it" : `"${hidden}"`
  throw new ToolError("not_configured", `Cannot run "${program}": ${where} is outside of what the sandbox shows`, {
    hint: "Use another program",
    fix: `Add its folder to "readable" in your own configuration, or install it below /usr or /opt`,
    details: { reason: "PROGRAM_NOT_SHOWN", path: hidden },
  })
}

/** The path under which a sandbox shows a program of the machine: its own, or where its link leads; undefined when it does not. */
export function shownName(path: string, isVisible: (path: string) => boolean): string | undefined {
  return [path, homeOfProgram(path)].find((one) => isShown(one, isVisible))
}

function isShown(path: string, isVisible: (path: string) => boolean): boolean {
  return isVisible(path) && isVisible(realPath(path))
}

/** Finds a program that Haft itself runs, in one of these folders and outside every root. */
export function findOwnProgram(
  name: string,
  folders: readonly string[],
  roots: readonly string[] = [],
): string | undefined {
  const found = findProgram(name, { path: folders, roots })
  return found === undefined ? undefined : homeOfProgram(found)
}

/** The same for a program that helps another one: also where the system keeps those that are on nobody's PATH. */
export function findHelper(name: string, folders: readonly string[], roots: readonly string[]): string | undefined {
  return findOwnProgram(name, [...folders, ...systemFolders], roots)
}

/**
 * The path of a program that a link resolves to. Links are followed as long as they keep the name, because one file may be
 * many programs and choose by its name which one to be.
 */
function homeOfProgram(path: string): string {
  const name = basename(path)
  let home = path
  for (let links = 0; links < mostLinks; links += 1) {
    const next = linkAt(home)
    if (next === undefined || basename(next) !== name) break
    home = next
  }
  return join(realpathSync.native(dirname(home)), name)
}

// As many as the kernel follows.
const mostLinks = 40

function linkAt(path: string): string | undefined {
  const target = bestEffort("it is no link", () => readlinkSync(path))
  return target === undefined ? undefined : resolve(dirname(path), target)
}

/** Changes when one of the programs or the kernel is another one. */
export function fingerprint(programs: readonly string[]): string {
  const parts = programs.map((path) => {
    const { dev, ino, size, mtimeMs } = statSync(path)
    return [path, dev, ino, size, mtimeMs].join(":")
  })
  return [release(), process.getuid?.() ?? "", ...parts].join(" ")
}
