import { type FindOptions, findProgram } from "../../program/find-program.js"
import { findServer } from "./find-server.js"
import { isProject } from "./project-root.js"
import { serverTable } from "./server-table.js"

/** What is known about the server of one language on this machine. */
export interface ListedServer {
  readonly id: string
  /** The language in words. */
  readonly title: string
  /** Program and arguments; absent when none was found. */
  readonly command?: readonly string[]
  /** True when one of the roots is a project of the language. */
  readonly wanted: boolean
  /** How to get it. */
  readonly install: string
}

/** Looks for every language server that Haft knows; starts none. */
export async function listServers({ path, roots }: FindOptions): Promise<readonly ListedServer[]> {
  const find = async (program: string) => findProgram(program, { path, roots })
  return Promise.all(
    serverTable.map(async (spec) => {
      const command = await findServer(spec, { folders: roots, find })
      const projects = await Promise.all(roots.map((root) => isProject(root, spec)))
      const { id, title, install } = spec
      return { id, title, install, wanted: projects.includes(true), ...(command && { command }) }
    }),
  )
}
