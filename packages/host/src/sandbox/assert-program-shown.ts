import { realpathSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { ToolError } from "@haft/contract"
import { findProgram } from "./environment/find-program.js"

/** What the wall of a command shows. */
export interface ShownPrograms {
  /** The folders of PATH on this machine. */
  readonly searchPath: readonly string[]
  /** Whether a path of the machine is at the same path inside. */
  readonly isVisible: (path: string) => boolean
  /** Whether a rule covers the path: then it is not missing, and showing its folder would not help. */
  readonly isMasked: (path: string) => boolean
}

/** Refuses a program that is on the machine and not inside the wall, where it would fail with words about neither. */
export function assertProgramShown(program: string, shown: ShownPrograms): void {
  if (program.includes("/") && !isAbsolute(program)) return
  const { searchPath, isVisible } = shown
  const isShown = (path: string) => isVisible(path) && isVisible(real(path))
  if (!isAbsolute(program)) {
    const inside = searchPath.filter((folder) => isVisible(folder))
    if (inside.some((folder) => findProgram(program, [folder]) && isShown(join(folder, program)))) return
  }
  const path = isAbsolute(program) ? program : findProgram(program, searchPath)
  if (path === undefined) {
    throw new ToolError("not_found", `Cannot run "${program}": there is no such program; install it or name another`)
  }
  const hidden = [path, real(path)].find((one) => !isVisible(one))
  if (hidden === undefined || shown.isMasked(hidden)) return
  const [name, where] = hidden === program ? [program, "it"] : [program, `"${hidden}"`]
  throw new ToolError("not_configured", `Cannot run "${name}": ${where} lies outside of what the sandbox shows`, {
    hint: `Add its folder to "readable" in your own configuration, or install it below /usr or /opt`,
    details: { reason: "PROGRAM_NOT_SHOWN", path: hidden },
  })
}

function real(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
