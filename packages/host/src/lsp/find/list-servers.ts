import { type FindOptions, findProgram } from "../../program/find-program.js"
import { findServer } from "./find-server.js"
import { isProject } from "./project-root.js"
import { serverTable } from "./server-table.js"
import { type TrialOptions, tryServer } from "./try-server.js"

/** What is known about the server of one language on this machine. */
export interface ListedServer {
  readonly id: string
  /** The language in words. */
  readonly title: string
  /** Program and arguments; absent when none was found. */
  readonly command?: readonly string[]
  /** Why the program that was found does not run, where that was tried. */
  readonly problem?: string
  /** True when one of the roots is a project of the language. */
  readonly wanted: boolean
  /** How to get it. */
  readonly install: string
}

/** Looks for every language server that Haft knows, and tries those of the machine that can say their version. */
export async function listServers(options: FindOptions & TrialOptions): Promise<readonly ListedServer[]> {
  const { path, roots } = options
  const find = async (program: string) => findProgram(program, { path, roots })
  return Promise.all(
    serverTable.map(async (spec) => {
      const command = await findServer(spec, { folders: roots, find })
      const projects = await Promise.all(roots.map((root) => isProject(root, spec)))
      const { id, title, install, trial } = spec
      const problem = command && trial ? await tryServer(command[0]!, trial, options) : undefined
      return {
        ...{ id, title, install, wanted: projects.includes(true) },
        ...(command && { command }),
        ...(problem !== undefined && { problem }),
      }
    }),
  )
}
