import type {
  BoundRule,
  Journal,
  Mode,
  Person,
  PlacedRule,
  RequirementSet,
  SessionEvent,
  SessionMemory,
  SessionPorts,
  ShellRequirement,
  Subagents,
} from "@haft/contract"
import { ToolError } from "@haft/contract"
import { type AgentManifest, type Detector, unionRequirements, type Variables } from "@haft/guard"
import type { CallHooks } from "../call/call-hooks.js"
import type { Registry } from "../registry/create-registry.js"
import type { CallSession } from "./call-session.js"

/** What a session is made of; chosen by the composition root. */
export interface CallSessionOptions {
  readonly id: string
  readonly directory: string
  readonly registry: Registry
  readonly ports: SessionPorts
  readonly journal: Journal | undefined
  readonly person: Person | "headless"
  readonly mode: Mode
  readonly variables: Variables
  /** What the host allows at the most. */
  readonly grant: RequirementSet
  /** What the agent's own manifest asks for, besides its tools. */
  readonly requires: RequirementSet
  /** Every rule but those of this session. */
  readonly rules: readonly PlacedRule[]
  readonly sessionRules: readonly PlacedRule[]
  readonly detectors: readonly Detector[]
  /** Hosts that the session may reach besides public ones that rules allow. */
  readonly netGrants: readonly string[]
  /** Beginnings of commands that the user lets run outside the sandbox, each asked for every time. */
  readonly unconfined?: readonly string[]
  /** False when commands run without a sandbox: nothing is then allowed without being asked. */
  readonly confines: boolean
  /** True for a session that ends with its one call: answers for the session are not offered then. */
  readonly endsWithCall?: boolean
  /** Output limits by tool id that differ from the manifest. */
  readonly limits: Readonly<Record<string, number>>
  /** Ids of tools that the caller has besides, in other sessions: next steps may name them. */
  readonly known?: readonly string[]
  readonly memory: (session: CallSession) => SessionMemory
  /** What looks at calls before and after their work. */
  readonly hooks?: (session: CallSession) => CallHooks
  /** Agents that calls may start; absent where no model drives the session. */
  readonly subagents?: Subagents
  /** JSON Schema (2020-12) of the final object that the host wants from a run. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly newId: (prefix: "call" | "prt") => string
  readonly now: () => number
  readonly onEvent: ((event: SessionEvent) => void) | undefined
  /** Keeps a rule for the whole project, outside the workspace. */
  readonly saveProjectRule: ((rule: BoundRule) => Promise<PlacedRule>) | undefined
}

/** What the agent may need at the most: its manifest and all its tools together. */
export function agentOf({ requires, registry, rules }: CallSessionOptions): AgentManifest {
  return {
    requires: unionRequirements([requires, ...registry.tools.map((tool) => tool.manifest.requires)]),
    rules: rules.filter(({ source }) => source.scope === "manifest"),
  }
}

/** A tool that runs any program leaves it to the agent which ones; a tool that names its own programs brings them. */
export function specificCommands({ shell = [] }: RequirementSet): readonly ShellRequirement[] {
  return shell.filter(({ cmd }) => cmd !== "*")
}

/** For a session that no model drives. */
export const noSubagents: Subagents = {
  list: async () => [],
  async run() {
    throw new ToolError("not_configured", "Cannot start an agent: no model drives this session", {
      hint: "Do the work with the other tools",
      fix: "Start the conversation with: haft run PROMPT",
    })
  },
}
