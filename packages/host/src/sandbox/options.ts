import type { SandboxPolicy } from "@haft/contract"
import type { CommittedFiles } from "@haft/git"
import type { ProxySettings } from "../network/choose-proxy.js"
import type { OnDecision } from "../proxy/decision.js"
import type { PrivateRegistry } from "../proxy/registry/private-registry.js"
import type { WorkspaceIndex } from "../workspace-index/index.js"
import type { BackendName } from "./backend.js"
import type { Limits } from "./limit/limiter.js"
import type { WorkspaceMasks } from "./masks/workspace-masks.js"

/** A directory that was opened when the session began. */
export interface OpenedRoot {
  /** Absolute, links followed at that time. */
  readonly path: string
  /** A path for system calls about the directory itself, whatever is at its path now. */
  readonly self: string
}

/** What the sandboxes of a session are made from. */
export interface SandboxOptions {
  readonly policy: SandboxPolicy
  /** Directory trees of the session, absolute. */
  readonly roots: readonly string[]
  /** The same, opened when the session began, in the same order; opened now where it is missing. */
  readonly opened?: readonly OpenedRoot[]
  /** Their indexes, in the same order; made here where they are missing. */
  readonly indexes?: readonly WorkspaceIndex[]
  /** What finds the masks in those indexes, where a verdict asks it too; made here where it is missing. */
  readonly masks?: WorkspaceMasks
  /** What was committed in them when the session began; looked up now where it is missing. */
  readonly committed?: readonly CommittedFiles[]
  /** The session's working directory, absolute. */
  readonly directory: string
  readonly sessionFolder: string
  readonly haftHome: string
  /** Where package managers keep what they fetched for this workspace. */
  readonly cacheFolder: string
  /** The user's home directory. */
  readonly home: string
  /** PATH of the caller. */
  readonly path: string
  /** Further absolute paths that commands may read, from the user's own configuration. */
  readonly readable?: readonly string[]
  /** Names of variables that commands get from the caller. */
  readonly env?: readonly string[]
  /** Names among them that may carry a secret. */
  readonly envSecrets?: readonly string[]
  /** Destinations that may be reached although they are not public, as `host:port`. */
  readonly netGrants?: readonly string[]
  /** The proxies of the user's own configuration, which granted destinations are reached through. */
  readonly proxy?: ProxySettings
  /** Registries that want a header, which is added outside the sandbox. */
  readonly registries?: readonly PrivateRegistry[]
  readonly limits?: Partial<Limits>
  /** Backends to try, in this order; by default all. */
  readonly backends?: readonly BackendName[]
  /** Git directories outside the roots that a person let commands see. */
  readonly gitDirs?: readonly { readonly path: string; readonly write: boolean }[]
  /** Whether a folder holds more than a project: as a root it is read-only, and who starts in it writes nothing of it. */
  readonly isWide?: (path: string) => boolean
  /** Further folders that no view shows: Haft's configuration. */
  readonly hidden?: readonly string[]
  /** Unix sockets work inside the sandbox. */
  readonly unixSockets?: boolean
  /** Ports of Haft itself; no grant reaches them. */
  readonly ownPorts?: () => readonly number[]
  /** Called for every destination, besides the callback of a call. */
  readonly onDecision?: OnDecision
  /** Called when a file was replaced that a process which outlives its call must not see: the process may see it now. */
  readonly onMaskLost?: () => void
  /** Variables of the caller. */
  readonly variables?: NodeJS.ProcessEnv
}
