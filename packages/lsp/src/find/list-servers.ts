import { execFile } from "node:child_process"
import { type FindOptions, findProgram } from "@haft/host"
import { findServer, isProject } from "./find-server.js"
import { serverTable } from "./server-table.js"

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

/** How a server is tried. */
export interface TrialOptions {
  /** Variables of the caller; of these only what tells a program where it is installed is given. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

const placeNames = ["PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "GOROOT"]

/** Runs a program with arguments that only say its version: why it does not run, or undefined when it does. */
function tryServer(
  program: string,
  trial: readonly string[],
  { environment, signal }: TrialOptions,
): Promise<string | undefined> {
  const places = placeNames.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]))
  // A trial installs nothing.
  const env = { ...Object.fromEntries(places), RUSTUP_AUTO_INSTALL: "0", GOTOOLCHAIN: "local", LANG: "C.UTF-8" }
  const options = { cwd: "/", env, timeout: 10_000, windowsHide: true, ...(signal && { signal }) }
  return new Promise((resolve) => {
    execFile(program, [...trial], options, (error, _stdout, stderr) => {
      if (!error) return resolve(undefined)
      const said = stderr.split("\n").find((line) => line.trim() !== "")
      resolve(said?.trim() ?? (error.killed ? "it does not answer" : `it ended with ${error.code}`))
    })
  })
}
