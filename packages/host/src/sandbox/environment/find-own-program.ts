import { findProgram } from "../../run/program/find-program.js"
import { homeOfProgram } from "./home-of-program.js"
import { systemFolders } from "./search-path.js"

/** Where a program lies that Haft itself runs, in one of these folders and outside every root; undefined when there is none. */
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
