import type { Attachment } from "./envelope.js"
import type { Box } from "./port/box.js"
import type { Clipboard } from "./port/clipboard.js"
import type { Commands } from "./port/commands.js"
import type { Compute } from "./port/compute.js"
import type { Conversation } from "./port/conversation.js"
import type { FileReader, FileWriter } from "./port/files.js"
import type { Jobs } from "./port/jobs.js"
import type { LanguageServers } from "./port/language-servers.js"
import type { LauncherIndex } from "./port/launcher-index.js"
import type { Network } from "./port/network.js"
import type { Repl } from "./port/repl.js"
import type { Search } from "./port/search.js"
import type { Servers } from "./port/servers.js"
import type { SessionMemory } from "./port/session-memory.js"
import type { Settings } from "./port/settings.js"
import type { Skills } from "./port/skills.js"
import type { Subagents } from "./port/subagents.js"
import type { ToolIndex } from "./port/tool-index.js"
import type { WebSearchSettings } from "./port/web-search-settings.js"
import type { RequirementSet, ShellRequirement } from "./requirement.js"

/** What every tool gets, whatever it requires. */
export interface BaseContext {
  readonly callId: string
  readonly sessionId: string
  /** Aborts when the caller gives up or the deadline passes; pass it on to every wait. */
  readonly signal: AbortSignal
  /** When the call must have ended, in milliseconds of the host's clock. */
  readonly deadlineMs: number
  /** The tool's effective output limit in the unit of its manifest. */
  readonly limit: number
  /** Pure work that is too heavy or too risky for this thread. */
  readonly compute: Compute
  /** What the session remembers between calls. */
  readonly memory: SessionMemory
  /** What can be learned on demand. */
  readonly skills: Skills
  /** The tools that are not in the prompt. */
  readonly tools: ToolIndex
  /** Agents that work for this one; refuses where no model drives the session. */
  readonly subagents: Subagents
  /** The person and the host at the other end. */
  readonly conversation: Conversation
  /** Sends a piece of output to the people who watch; not part of the result. */
  emit(delta: string): void
  /** Adds something other than text to the result. */
  attach(attachment: Attachment): void
  /** Says that the whole output is already in this file, because it did not fit. */
  setSidecar(path: string): void
  /** Sets what faces draw and the model never reads. */
  setState(state: unknown): void
}

/** The ports that a requirement set opens; a port that is not required is absent from the type and at run time. */
export type PortsOf<Requires extends RequirementSet> = (Requires extends {
  readonly fs: { readonly read: readonly string[] }
}
  ? { readonly files: FileReader; readonly search: Search }
  : unknown) &
  (Requires extends { readonly fs: { readonly write: readonly string[] } } ? { readonly files: FileWriter } : unknown) &
  (Requires extends { readonly net: { readonly hosts: readonly string[] } }
    ? { readonly network: Network; readonly webSearchSettings: WebSearchSettings }
    : unknown) &
  (Requires extends { readonly shell: readonly ShellRequirement[] }
    ? { readonly commands: Commands; readonly jobs: Jobs; readonly repl: Repl }
    : unknown) &
  (Requires extends { readonly capabilities: readonly (infer Name)[] }
    ? ("box" extends Name ? { readonly box: Box } : unknown) &
        ("lsp" extends Name ? { readonly languages: LanguageServers } : unknown) &
        ("clipboard" extends Name ? { readonly clipboard: Clipboard } : unknown) &
        ("index" extends Name ? { readonly index: LauncherIndex } : unknown) &
        ("config" extends Name ? { readonly settings: Settings } : unknown) &
        ("servers" extends Name ? { readonly servers: Servers } : unknown)
    : unknown)

/** What a tool with these requirements is handed. */
export type Context<Requires extends RequirementSet = RequirementSet> = BaseContext & PortsOf<Requires>
