import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import type { Envelope } from "@haft/contract"
import type { HaftOptions } from "../src/library/options.js"
import type { DataOf, Session } from "../src/library/session.js"
import { libraryWorld } from "./library-world.js"

/** A workspace in which commands run in the real sandbox. */
export interface ShellWorld extends AsyncDisposable {
  readonly root: string
  /** Where Haft keeps its state. */
  readonly home: string
  readonly session: Session
  path(name: string): string
  /** A further session on the same workspace. */
  open(options?: HaftOptions): Promise<Session>
  undo(): Promise<{ readonly restored: readonly string[] }>
  /** Runs a line that a person agreed to. */
  run(command: string): Promise<CommandResult>
}

/** What a command line returned. */
export type CommandResult = DataOf<"bash">

/** Opens a workspace with these files and a session on it; disposing ends both. */
export async function shellWorld(
  files: Readonly<Record<string, string>> = {},
  options: HaftOptions = {},
): Promise<ShellWorld> {
  const world = await libraryWorld(files)
  const haft = await world.haft({ toolset: "all", ...options })
  const session = await haft.openSession()
  return {
    root: world.root,
    home: world.home,
    session,
    path: world.path,
    open: async (others = {}) => (await world.haft({ toolset: "all", ...others })).openSession(),
    undo: () => haft.undo(),
    run: async (command) => dataOf(await session.call("bash", { command }, { answer: "once" })),
    [Symbol.asyncDispose]: () => world.remove(),
  }
}

/** The data of a call that worked. */
export function dataOf<Data>(envelope: Envelope<Data>): Data {
  if (envelope.type !== "output") throw new Error(`${envelope.error_text} (${envelope.metadata.hint})`)
  return envelope.data
}

/** Everything that a call gave back, as text, whether it worked or not. */
export function everythingOf(envelope: Envelope): string {
  return JSON.stringify(envelope)
}

/** Whether all these programs are on the PATH; says aloud which is not. */
export function areHere(...programs: readonly string[]): boolean {
  const missing = programs.filter((name) => !isOnPath(name))
  if (missing.length > 0) console.warn(`not tested here: ${missing.join(", ")} not installed`)
  return missing.length === 0
}

/** Whether sandboxes can be built at all; says aloud when not. */
export const sandboxIsHere = process.platform === "linux" && areHere("bwrap")

/** Processes of this machine whose command line is exactly this. */
export function running(commandLine: string): readonly string[] {
  const { stdout } = spawnSync("pgrep", ["-fx", commandLine])
  return stdout.toString().split("\n").filter(Boolean)
}

/** Waits for something that is about to happen; the time limit of the test is the limit of the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20))
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
