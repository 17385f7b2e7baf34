import type { ToolError } from "../error.js"
import type { Isolation } from "./sandbox.js"

/** A program that serves over its standard input and output, in a sandbox of its own. */
export interface ServerRequest {
  /** How messages call it, for instance `MCP server "memory"`. */
  readonly name: string
  readonly argv: readonly string[]
  /** Variables besides the built environment. */
  readonly environment: Readonly<Record<string, string>>
  /** What it sees of the workspace; `none` by default. */
  readonly workspace: "none" | "read" | "write"
  /** Hosts that it may reach, as in a sandbox; empty: no network. */
  readonly hosts: readonly string[]
  /** Absolute paths outside the workspace that it may read, for instance where it is installed. */
  readonly readable: readonly string[]
  /** A name for its folder: it starts there, may write there, and finds it again in the next session. */
  readonly data: string
  /** Gives up the start; a server that runs goes on. */
  readonly signal: AbortSignal
}

/** A server that was started and runs until it is ended, ends itself, or the session closes. */
export interface RunningServer {
  readonly isolation: Isolation
  /** Pieces of its standard output as they come; reading slowly slows it down. */
  readonly output: AsyncIterable<Uint8Array>
  /** Writes to its standard input; resolves when more may be written. */
  write(bytes: Uint8Array): Promise<void>
  /** The last that it wrote to standard error, bounded. */
  errors(): string
  /** Settles when nothing of it is left, with the reason when it went by itself or had to be ended. */
  readonly gone: Promise<ToolError | undefined>
  /** Ends it with all that it started; resolves when it is gone. */
  end(reason?: ToolError): Promise<void>
}

/** Starts programs that serve for longer than one call, confined by profile `server`. */
export interface Servers {
  start(request: ServerRequest): Promise<RunningServer>
  /** The program that a command name means on this machine, links followed; undefined when there is none. */
  find(program: string): Promise<string | undefined>
  /** The folder that a server with this name keeps its data in. */
  dataFolder(name: string): Promise<string>
}
