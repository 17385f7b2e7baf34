import type { Network, Servers } from "@haft/contract"
import type { ServerEntry } from "../entry/server-entry.js"

// Without the types of the client: a user who installs Haft does not have that package, only what the types of Haft import.

/** What is kept of a sign-in, for one server at one origin. */
export interface SavedSignIn {
  /** Tokens are sent to this origin and to no other. */
  readonly origin: string
  readonly client?: unknown
  readonly tokens?: unknown
}

/** Where sign-ins are kept: in Haft's state, readable by the user alone. */
export interface SignInStore {
  load(server: string): Promise<SavedSignIn | undefined>
  save(server: string, saved: SavedSignIn): Promise<void>
}

/** How a person signs in: shown an address, the person comes back to a redirect with a code. */
export interface Browser {
  readonly redirectUrl: string
  /** Shows the address and waits for the answer to `redirectUrl` with this state. */
  authorize(address: URL, state: string): Promise<URLSearchParams>
}

/** The ports of the call that needs the connection. */
export interface ConnectionPorts {
  /** For programs. */
  readonly servers?: Servers
  /** For addresses. */
  readonly network?: Network
}

/** What a connection is opened with. */
export interface OpenRequest {
  readonly entry: ServerEntry
  readonly ports: ConnectionPorts
  /** For `${NAME}` in the entry. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The era that the server spoke when it was trusted: an old one is not asked for the new one first. */
  readonly era?: "legacy" | "modern"
  readonly signIns: SignInStore
  readonly browser?: Browser
  /** Sent to servers that see the workspace. */
  readonly roots: readonly string[]
  /** Whether somebody is there to answer questions of the server. */
  readonly hasPerson: boolean
  /** The parameters of `elicitation/create` of the protocol, and its result. */
  readonly onElicit: (params: never) => Promise<ElicitAnswer>
  readonly onToolsChanged: () => void
  readonly signal: AbortSignal
}

/** What becomes of a question of a server. */
export interface ElicitAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Record<string, string | number | boolean | string[]>
}
