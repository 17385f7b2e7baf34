import type { AskRequest, CallerSignal, Envelope, EventBody, Person, Projection, ToolResult } from "@haft/contract"
import type { Tool } from "@modelcontextprotocol/server"

/** What the program that serves gives to the server: its tools, its sessions and its words for people. */
export interface ServeHost {
  readonly version: string
  /** What a client may tell its model about this server. */
  readonly instructions: string
  /** False where nobody is asked, whatever a client can do. */
  readonly mayAsk: boolean
  /** The tools in the order in which they are listed; the same list for the whole life of the server. */
  tools(): Promise<readonly ServedTool[]>
  openSession(): Promise<HostSession>
  /** A permission question in words for a person. */
  askWords(request: AskRequest): Promise<string>
  /** What the person at the client can do about a call that failed; undefined where there is nothing. */
  personStep(envelope: Envelope & { readonly type: "error" }): Promise<string | undefined>
  /** A line for the person who started the server. */
  note(text: string): void
}

/** A tool as it is listed and called. */
export interface ServedTool {
  /** What `tools/list` says of it. */
  readonly definition: Tool
  /** The name that the session knows it by. */
  readonly name: string
  /** Whether a call may take so long that a client had better poll for it. */
  readonly isLong: boolean
}

/** The session of one client. */
export interface HostSession {
  readonly id: string
  call(tool: ServedTool, input: unknown, options: HostCall): Promise<HostResult>
  /** The file with the whole of a long output, as text; at most so many bytes of it. */
  readOutput(path: string, maxBytes: number): Promise<{ readonly text: string; readonly bytes: number }>
  /** Ends what runs in it. */
  close(): Promise<void>
}

/** How one call is made. */
export interface HostCall {
  readonly signal: CallerSignal
  readonly person: Person | "headless"
  readonly onEvent: (event: EventBody) => void
}

/** The end of a call; with the projection of a dialect where the server speaks one. */
export interface HostResult {
  readonly result: ToolResult
  readonly projection?: Projection
}
