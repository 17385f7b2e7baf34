import type { FileEffectKind } from "../effect.js"
import type { StreamOrder } from "../envelope.js"
import type { Isolation, SandboxProfile } from "./sandbox.js"

/** A program to run to its end. */
export interface CommandRequest {
  /** Program and arguments; never a line for a shell to split. */
  readonly argv: readonly string[]
  /** Where it starts; the session's working directory by default. */
  readonly directory?: string
  readonly timeoutMs: number
  /** Ends the command when it has been silent for so long. */
  readonly idleMs?: number
  /** Text for standard input, which is then closed; without it standard input is closed from the start. */
  readonly input?: string
  /** Variables besides the built environment; the caller vouches for them. */
  readonly environment?: Readonly<Record<string, string>>
  /** A narrower sandbox than the grant's, for instance `read-only` for a command that only reads. Never a wider one. */
  readonly profile?: SandboxProfile
  /** Called for output while it comes. */
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void
  /** Bytes of each stream that stay in memory, half head and half tail; more in both together goes to the sidecar too. */
  readonly keepBytes: number
}

/** One stream of a command's output with its middle left out where it was long. */
export interface CapturedStream {
  /** UTF-8, lossy. */
  readonly text: string
  readonly totalBytes: number
  readonly truncated: boolean
}

/** How the processes of a command ended. */
export interface Teardown {
  /** Processes that were still there when the command had exited and were ended. */
  readonly ended: number
  /** Processes that could not be ended; empty in any confined run. */
  readonly survivors: readonly number[]
}

/** What a command changed in the workspace, and how that compares with what was expected of it. */
export interface ObservedChanges {
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  /** Written or deleted, but not among the effects that were judged. */
  readonly unexpected: readonly string[]
  /** False when nobody could list beforehand what the command changes: then its result tells the model what it did. */
  readonly foreseeable?: false
  /** Protected names that the command created below the places that mounts can hold. */
  readonly protectedCreated: readonly string[]
  /** False when the workspace was too large to compare, or undo is not possible for some of it; `note` says which. */
  readonly complete: boolean
  readonly note?: string
}

/** A destination to which a command was not let go. */
export interface RefusedHost {
  /** `host:port`. */
  readonly destination: string
  readonly reason: string
  /** What the user can do about it. */
  readonly fix?: string
}

/** The end of a command that ran. */
export interface CommandOutcome {
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  /** In which order the streams were read; absent when all of stdout came first. */
  readonly order?: StreamOrder
  readonly exitCode: number | null
  readonly signal?: string
  readonly timedOut: boolean
  /** A file with the whole output, when it did not fit. */
  readonly outputPath?: string
  readonly isolation: Isolation
  /** Where it was not let go; clients seldom show what the proxy answers. */
  readonly refused?: readonly RefusedHost[]
  readonly teardown: Teardown
  readonly changes: ObservedChanges
}

/** Runs programs in the sandbox of one call. Failing to start is an error; any exit code is an outcome. */
export interface Commands {
  run(request: CommandRequest): Promise<CommandOutcome>
  /** The absolute path of a program outside every root, or undefined. */
  find(program: string): Promise<string | undefined>
  /**
   * Installs a program that is missing, where the user's configuration lets Haft do so, and gives its path; undefined
   * where it does not. Nothing in a call can ask for another program, place or build.
   */
  obtain?(program: "git"): Promise<string | undefined>
  /** Whether a rule denies this on an absolute path, which need not exist: a repository keeps content that no mask hides. */
  denies?(kind: FileEffectKind, path: string): boolean
}
