import { existsSync, realpathSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { ToolError } from "@haft/contract"
import { findProgram } from "../run/program/find-program.js"
import { homeOfProgram } from "./environment/home-of-program.js"
import { shownFolders } from "./environment/search-path.js"

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
  const hidden = [path, real(path)].find((one) => !isVisible(one))
  if (hidden === undefined || isMasked(hidden)) return program
  const name = shownName(path, isVisible)
  if (name !== undefined) return name
  const where = hidden === program ? "it" : `"${hidden}"`
  throw new ToolError("not_configured", `Cannot run "${program}": ${where} lies outside of what the sandbox shows`, {
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
  return isVisible(path) && isVisible(real(path))
}

function real(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
