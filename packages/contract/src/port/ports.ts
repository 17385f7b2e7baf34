import type { FileEffectKind, Located, ObservedEffect } from "../effect.js"
import type { Box } from "./box.js"
import type { Clipboard } from "./clipboard.js"
import type { Commands } from "./commands.js"
import type { Compute } from "./compute.js"
import type { FileReader, FileWriter } from "./files.js"
import type { Jobs } from "./jobs.js"
import type { LanguageServers } from "./language-servers.js"
import type { LauncherIndex } from "./launcher-index.js"
import type { HostVerdict, Network } from "./network.js"
import type { Repl } from "./repl.js"
import type { SandboxSpec } from "./sandbox.js"
import type { Search } from "./search.js"
import type { Servers } from "./servers.js"
import type { Settings } from "./settings.js"
import type { Skills } from "./skills.js"
import type { WebSearchSettings } from "./web-search-settings.js"

/** What one call may do, decided by guard and obeyed by host. */
export interface Grant {
  /** Asked with the resolved path at the very moment of opening, so that a link swapped after the verdict cannot win. */
  admits(kind: FileEffectKind, path: string): boolean
  /** Whether a file's former content may be kept for undo; false for files that a secret rule names. */
  mayKeep(path: string): boolean
}

/** One call as its ports see it. */
export interface CallScope {
  readonly callId: string
  readonly sessionId: string
  readonly signal: AbortSignal
  /** The same as `signal.aborted`, where asking it costs less: a signal is dear to make, and most calls need none. */
  readonly aborted?: boolean
  /** The same as listening to `signal`, at once when it is aborted already, without making it; gives what ends that. */
  onAbort?(listener: () => void): () => void
  readonly deadlineMs: number
  readonly grant: Grant
  observe(effect: ObservedEffect): void
}

/** A grant with a sandbox, for calls that start processes. */
export interface SandboxedGrant extends Grant {
  /** Whether a rule in force denies this: such paths are masked inside the sandbox. */
  denies(kind: FileEffectKind, path: string): boolean
  /** Equal keys promise equal answers of `denies`, so that nothing is judged again while the rules stay. */
  readonly rulesKey?: unknown
  /** Whether a change was to be expected: more than `admits`, because git keeps records besides the files it is given. */
  expects?(kind: "fs.write" | "fs.delete", path: string): boolean
  /** False when the verdict could not list what the call changes: then only what rules speak about is unexpected. */
  readonly foreseeable?: boolean
  /** Absolute paths that the verdict saw the call write or delete: what is there is kept for undo first. */
  readonly writes?: readonly string[]
  /** The sandbox for whatever the call starts. */
  readonly sandbox: SandboxSpec
  /** Called when a process is about to start: throws `conflict` when a script has another text than the verdict was about. */
  begins?(): void
  /** The sandbox that the same call would get by the rules of this moment; undefined when they would refuse it now. */
  renewed?(): SandboxSpec | undefined
}

/** What rules say about paths, for what was started under others. */
export type PathRules = Pick<SandboxedGrant, "denies" | "rulesKey">

/** The rules of a command that is being judged. */
export interface FactsRequest extends PathRules {
  /**
   * Whether it is plain that none of these names in a folder is denied to be read or written; they have slashes between them.
   * A workspace has many directories, and in most of them nothing is denied.
   */
  deniesNone?(folder: string, names: string): boolean
  /** The command runs if it is allowed, and may write: the index reads what undo needs in the same pass. */
  readonly mayWrite?: boolean
}

/** What a verdict must know about the workspace as a whole. */
export interface WorkspaceFacts {
  /** Why a sandbox could not hide every file that rules deny; empty where it hides all of them. */
  readonly unmasked: readonly string[]
}

/** A process that outlived its call and was ended because its sandbox is wider than the rules now allow. */
export interface EndedProcess {
  readonly kind: "job" | "interpreter" | "language server" | "server"
  /** The id of a job, the language of an interpreter, the name of a server. */
  readonly name: string
  readonly reason: string
}

/** A call that may start processes, as its ports see it. */
export interface SandboxedCall extends CallScope {
  readonly grant: SandboxedGrant
}

/** A grant for a call that sends requests. */
export interface NetworkGrant extends Grant {
  /** Asked for every hop of a request, before anything is sent; addresses are the host's own concern. */
  admitsHost(host: string, port: number): HostVerdict
}

/** A call that may send requests, as its ports see it. */
export interface NetworkCall extends CallScope {
  readonly grant: NetworkGrant
}

/** A git repository, as far as its files say; nothing of it is obeyed. */
export interface Repository {
  /** The top of its work tree. */
  readonly top: string
  /** The files in its index, by absolute path; undefined when that cannot be read. */
  readonly tracked: { paths(): Iterable<string> } | undefined
}

/** The ports of one session on this host; each call gets its own, bound to its grant. */
export interface SessionPorts {
  /** Where a path leads, for judging; touches nothing. */
  locate(path: string): Promise<Located>
  /** Whether the file was in the commit that was HEAD when the session began, with the content that it has now. */
  isTracked(path: string): boolean
  /** The repository that a folder is in. */
  repository?(folder: string): Repository | undefined
  files(call: CallScope): FileReader & FileWriter
  /** The same for the eyes of a person: nothing of it counts as read by the model. */
  filesToShow(call: CallScope): FileReader
  search(call: CallScope): Search
  commands(call: SandboxedCall): Commands
  jobs(call: SandboxedCall): Jobs
  repl(call: SandboxedCall): Repl
  box(call: SandboxedCall): Box
  languages(call: SandboxedCall): LanguageServers
  servers(call: SandboxedCall): Servers
  /** Asked at most once for the verdict of a call. Answered from the index of the workspace; prepares no sandbox. */
  workspaceFacts(request: FactsRequest): Promise<WorkspaceFacts>
  /**
   * To be called when rules or mode changed: processes that outlive their calls stop at once, and go on only where the sandbox
   * that they are behind still holds everything. Resolves to those that were ended.
   */
  rulesChanged?(rules: PathRules): Promise<readonly EndedProcess[]>
  /** Sets what is called when a file was replaced that a running process must not see: `rulesChanged` then ends the process. */
  onMaskLost?(listener: () => void): void
  network(call: NetworkCall): Network
  clipboard(call: CallScope): Clipboard
  index(call: CallScope): LauncherIndex
  settings(call: CallScope): Settings
  readonly webSearchSettings: WebSearchSettings
  readonly skills: Skills
  readonly compute: Compute
  /**
   * The text of a small file inside the roots, for judging what a command runs; undefined when there is none, null when there
   * may be one that cannot be read: it is too large, no file, or is outside. What `admits` refuses, by its own path or by the
   * one that it points to, counts as missing.
   */
  peek(path: string, admits?: (path: string) => boolean): string | null | undefined
  /** Tells the content now from any other, or null for a missing file; for approvals that bind to what was shown. */
  contentHash(path: string): Promise<string | null>
  /** Writes the whole output of a call beside the session and returns the path that `read` opens. */
  writeSidecar(callId: string, text: string): Promise<string>
  close(): Promise<void>
}
