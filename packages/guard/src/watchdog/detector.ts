import type { AnyManifest, Hint, PlacedRule, RequirementSet } from "@haft/contract"
import type { CommandAnalysis } from "../command/command-analysis.js"

/** An earlier call of the session, by its digests. */
export interface RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  readonly resultHash: string
}

/** Text that came from outside in an earlier call. Kept as the same object from call to call, it is indexed only once. */
export interface TaintedText {
  readonly callId: string
  readonly text: string
  /** `file` for the content of a file, which may not leave the machine; otherwise the web, an MCP server or an extension. */
  readonly source?: "file"
}

/** What a detector sees of the agent's manifest. */
export interface AgentManifest {
  readonly requires: RequirementSet
  readonly rules: readonly PlacedRule[]
}

/** What a detector sees of a call: validated, frozen arguments and who asks; nothing that it could act with. */
export interface WatchdogRequest {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Digest of the arguments, made like those of `recent`; without it no repetition can be seen. */
  readonly argumentsHash?: string
  /** The manifest of the tool. */
  readonly manifest: AnyManifest
  /** The manifest of the agent: what it declares together with its tools, and its rules. */
  readonly agent: AgentManifest
  readonly sessionId: string
  /** The calls before this one, oldest first. */
  readonly recent: readonly RecentCall[]
  /** What the call's commands do, for tools that run commands. */
  readonly command?: CommandAnalysis
  /** The user's home directory. */
  readonly home?: string
  /** Results of earlier calls that others could have written. */
  readonly tainted?: readonly TaintedText[]
}

/** What a detector says; it can refuse what was allowed, never the reverse. */
export type DetectorVerdict =
  | { readonly verdict: "allow" }
  | {
      readonly verdict: "deny" | "ask"
      readonly reason: string
      /** What a model can do instead of the call. */
      readonly hint?: Hint
      /** Not because it is dangerous: it could not work. */
      readonly unsupported?: true
    }

/** A tripwire over arguments. A throw or an answer after the deadline counts as ask. */
export interface Detector {
  readonly id: string
  /** What it looks for, in a sentence for people. */
  readonly about: string
  /** True where it looks at commands alone: other calls do not go through it. */
  readonly commandsOnly?: true
  inspect(request: WatchdogRequest): DetectorVerdict | Promise<DetectorVerdict>
}
