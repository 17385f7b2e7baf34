import type { ChildProcess } from "node:child_process"
import type { FileEffectKind, Isolation, SandboxSpec, ToolError } from "@haft/contract"
import type { StagedOutside } from "../outside/stage-outside.js"
import type { OnDecision } from "../proxy/decision.js"
import type { Quarantined } from "./protected/quarantine.js"

/** Confines the commands of one session. */
export interface Sandboxes {
  /** Builds the sandbox of one command; nothing runs yet. `not_configured` when the policy demands a sandbox and none can be set up. */
  prepare(request: SandboxRequest): Promise<PreparedSandbox>
  /** Whether a command in such a sandbox can run the program of the machine at this path. */
  shows(program: string, sandbox: Pick<SandboxSpec, "unconfined">): Promise<boolean>
  /** To be called when rules changed: ends what was prewarmed under the old ones. */
  rulesChanged(): Promise<void>
  /** To be called for what Haft itself wrote while processes run: a protected path that a person allowed is not theirs. */
  wrote(path: string): void
  /** Removes what the sandboxes of this session needed; commands must have ended. */
  close(): Promise<void>
}

/** What starts of processes need of a sandbox. */
export type CommandSandboxes = Pick<Sandboxes, "prepare"> & Partial<Pick<Sandboxes, "shows">>

/** What a sandbox is built from: the verdict, and nothing of what the command says about itself. */
export interface SandboxRequest {
  readonly sandbox: SandboxSpec
  /** Where the command starts; absolute, inside a root or the session's scratch folder. */
  readonly directory: string
  /** Variables besides the built environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether a rule denies the effect on the path, links followed. */
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  /** Equal keys promise equal answers of `denies`; with a key, files that did not change are not judged again. */
  readonly rulesKey?: unknown
  /** The process outlives its call: the sandbox can then be asked whether it still holds. */
  readonly lasting?: boolean
  /** Whether the verdict lets the command remove this folder with all that is in it; without it none. */
  readonly mayDelete?: (path: string) => boolean
  /** Whether the verdict lets the command read a path outside the workspace; without it none. */
  readonly mayRead?: (path: string) => boolean
  /** Further absolute paths that the command may read, besides those of the session. */
  readonly readable?: readonly string[]
  /** A folder of Haft's state that the command may write; made when it is missing, in a folder that is there. */
  readonly data?: string
  readonly signal: AbortSignal
  /** Called for every host that the command tries to reach. */
  readonly onDecision?: OnDecision
}

/** A sandbox that is ready; its holds on the workspace last until `release`. */
export interface PreparedSandbox {
  readonly isolation: Isolation
  /** A system-call filter is part of it. */
  readonly isFiltered?: boolean
  /** Paths that are not there and that the command sees as empty folders, so that it cannot make them. */
  readonly placeholders?: readonly string[]
  /** Copies of what the command may change outside the workspace; the caller puts them into place, and removes them. */
  readonly outside?: PreparedOutside
  launch(argv: readonly string[]): Launch
  /**
   * In place of `launch`: a prewarmed process in a sandbox just like this one that has now become the
   * command, with nothing on standard input. Undefined when none waits.
   */
  takePrewarmed?(argv: readonly string[]): TakenPrewarmed | undefined
  /** Whether it still covers all that these rules deny; only for a lasting process in a real sandbox. */
  holds?(rules: Pick<SandboxRequest, "denies" | "rulesKey">): Promise<boolean>
  /** Gives back what the command needed in the workspace; resolves to what could not be held and was changed. */
  release(): Promise<Release>
}

/** Copies that a command changes in the place of the originals. */
export interface PreparedOutside {
  readonly staged: StagedOutside
  /** The owner of new files, where that is not the user who runs Haft. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
}

/** How to start a confined process: to be handed to `spawn` as it is. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly cwd: string
  /** Entries of `stdio` from descriptor 3 on. */
  readonly extraFds: readonly ("pipe" | number)[]
  /** Runs what starts the process, where that has to happen in a certain place. */
  startWithin?<Started>(start: () => Started): Started
  /** Must be called right after the process was started. */
  onSpawn?(child: ChildProcess): void
  /** How the program ended, to be asked after the exit of the process; absent where the process is the program itself. */
  end?(exit: ProcessExit, stderrTail: string): Promise<ProgramEnd>
}

/** How a process ended: by itself or by a signal. */
export interface ProcessExit {
  readonly exitCode: number | null
  readonly signal?: string
}

/** How a program in a sandbox ended. */
export interface ProgramEnd extends ProcessExit {
  /** How many processes it left. */
  readonly orphans: number
  /** Why it did not run: the sandbox could not be built, or the program could not be started. */
  readonly failure?: ToolError
}

/** A process that waited in its sandbox and has received its command. */
export interface TakenPrewarmed {
  readonly child: ChildProcess
  readonly launch: Launch
  /** The tag that its environment carries. */
  readonly tag: string
}

/** What was found when a sandbox was given back. */
export interface Release {
  /** What appeared under protected names that no mount could hold: moved to the session's quarantine. */
  readonly quarantined: readonly Quarantined[]
  /** Where such names could not be looked for. */
  readonly note?: string
}
