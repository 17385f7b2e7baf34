import {
  type Attachment,
  addUsage,
  type Conversation,
  type EventBody,
  type LanguageServers,
  type NetworkGrant,
  noUsage,
  type ObservedEffect,
  type Person,
  type RequirementSet,
  type SandboxedCall,
  type SandboxedGrant,
  type SessionPorts,
  type SubagentReport,
  type Subagents,
  type ToolDefinition,
  type ToolIndex,
  type Usage,
} from "@haft/contract"
import { CallConversation } from "../session/call-conversation.js"
import type { CallSession } from "../session/call-session.js"
import type { CallSignal } from "./call-signal.js"
import type { Meanings } from "./ladder/locate-parts.js"
import { meantFiles, meantLanguages, meantSearch } from "./meant-ports.js"

/** What a tool left besides its output. */
export interface SideOutputs {
  readonly attachments: Attachment[]
  readonly effects: ObservedEffect[]
  /** The call is being recorded: what is observed from now on comes after it. */
  ended: boolean
  state: unknown
  /** What agents used that the call started. */
  usage: Usage | undefined
  /** The file with the whole output, where the tool wrote one itself. */
  sidecar: string | undefined
}

/** Everything that one call may do, and what its paths mean. */
export type CallGrant = SandboxedGrant & NetworkGrant & { readonly meanings?: Meanings | undefined }

/** A call that is about to run. */
export interface ContextRequest {
  readonly tool: ToolDefinition
  readonly session: CallSession
  readonly callId: string
  readonly grant: CallGrant
  readonly signal: CallSignal
  readonly sideOutputs: SideOutputs
  /** Who is asked. */
  readonly person: Person | "headless"
  /** Gets the output and the messages of this call, besides the session's listeners. */
  readonly onEvent?: ((event: EventBody) => void) | undefined
}

/** The call as its ports see it. */
export class Scope implements SandboxedCall {
  readonly callId: string
  readonly sessionId: string
  readonly deadlineMs: number
  readonly grant: CallGrant
  private readonly request: ContextRequest

  constructor(request: ContextRequest) {
    const { tool, session, callId, grant } = request
    this.request = request
    this.callId = callId
    this.sessionId = session.id
    this.deadlineMs = session.now() + tool.manifest.timeoutMs
    this.grant = grant
  }

  get signal(): AbortSignal {
    return this.request.signal.signal
  }

  get aborted(): boolean {
    return this.request.signal.aborted
  }

  onAbort(listener: () => void): () => void {
    return this.request.signal.onAbort(listener)
  }

  observe(effect: ObservedEffect): void {
    const { sideOutputs, session } = this.request
    if (sideOutputs.ended) session.late.add(this.callId, effect)
    else sideOutputs.effects.push(effect)
  }
}

/** The agents that a call may start. What they use is noted for the envelope of the call, so that it is on record with it. */
class CountedSubagents implements Subagents {
  constructor(private readonly request: ContextRequest) {}

  list(): ReturnType<Subagents["list"]> {
    return this.request.session.subagents.list()
  }

  async run(...asked: Parameters<Subagents["run"]>): Promise<SubagentReport> {
    const { session, sideOutputs } = this.request
    const report = await session.subagents.run(...asked)
    if (report.usage) sideOutputs.usage = addUsage(sideOutputs.usage ?? noUsage, report.usage)
    return report
  }
}

/** The ports for exactly the granted scope; a port that the manifest does not require is absent. */
export function createContext(request: ContextRequest, scope: Scope): CallContext {
  const context = new CallContext(request, scope)
  return Object.assign(context, portsFor(request.tool.manifest.requires, request.session.ports, scope))
}

/** What every tool gets. The rarely used parts are made when a tool asks for them. */
class CallContext {
  readonly callId: string
  readonly sessionId: string
  readonly deadlineMs: number
  readonly limit: number
  readonly emit: (delta: string) => void
  readonly attach: (attachment: Attachment) => void
  readonly setSidecar: (path: string) => void
  readonly setState: (state: unknown) => void
  private readonly request: ContextRequest

  constructor(request: ContextRequest, scope: Scope) {
    const { session, callId, sideOutputs } = request
    this.request = request
    this.callId = callId
    this.sessionId = session.id
    this.deadlineMs = scope.deadlineMs
    this.limit = session.limitOf(request.tool)
    const { onEvent } = request
    this.emit = (delta) => {
      onEvent?.({ type: "tool-output-delta", call: callId, delta })
      session.emit({ type: "tool-output-delta", call: callId, delta })
    }
    this.attach = (attachment) => {
      sideOutputs.attachments.push(attachment)
    }
    this.setSidecar = (path) => {
      sideOutputs.sidecar = path
    }
    this.setState = (state) => {
      sideOutputs.state = state
    }
  }

  get signal(): AbortSignal {
    return this.request.signal.signal
  }

  get compute(): SessionPorts["compute"] {
    return this.request.session.ports.compute
  }

  get memory(): CallSession["memory"] {
    return this.request.session.memory
  }

  get skills(): SessionPorts["skills"] {
    return this.request.session.ports.skills
  }

  get tools(): ToolIndex {
    return this.request.session.offer.index
  }

  get subagents(): Subagents {
    return new CountedSubagents(this.request)
  }

  get conversation(): Conversation {
    return new CallConversation(this.request)
  }
}

function portsFor(requires: RequirementSet, ports: SessionPorts, scope: Scope): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  addFilePorts(found, requires, ports, scope)
  if (requires.net) {
    found.network = ports.network(scope)
    found.webSearchSettings = ports.webSearchSettings
  }
  if (requires.shell) {
    found.commands = ports.commands(scope)
    found.jobs = ports.jobs(scope)
    found.repl = ports.repl(scope)
  }
  for (const capability of requires.capabilities ?? []) {
    const { name, make } = capabilityPorts[capability]
    found[name] = make(ports, scope)
  }
  return found
}

const capabilityPorts = {
  box: { name: "box", make: (ports: SessionPorts, scope: Scope) => ports.box(scope) },
  lsp: {
    name: "languages",
    make: (ports: SessionPorts, scope: Scope) => languagesFor(ports, scope),
  },
  clipboard: { name: "clipboard", make: (ports: SessionPorts, scope: Scope) => ports.clipboard(scope) },
  index: { name: "index", make: (ports: SessionPorts, scope: Scope) => ports.index(scope) },
  servers: { name: "servers", make: (ports: SessionPorts, scope: Scope) => ports.servers(scope) },
  config: { name: "settings", make: (ports: SessionPorts, scope: Scope) => ports.settings(scope) },
}

function languagesFor(ports: SessionPorts, scope: Scope): LanguageServers {
  const { meanings } = scope.grant
  return meanings ? meantLanguages(ports.languages(scope), meanings) : ports.languages(scope)
}

function addFilePorts(
  found: Record<string, unknown>,
  requires: RequirementSet,
  ports: SessionPorts,
  scope: Scope,
): void {
  const reads = requires.fs?.read !== undefined
  const writes = requires.fs?.write !== undefined
  if (!reads && !writes) return
  const { meanings } = scope.grant
  const own = ports.files(scope)
  const files = meanings ? meantFiles(own, meanings) : own
  if (reads) found.search = meanings ? meantSearch(ports.search(scope), meanings) : ports.search(scope)
  if (reads && writes) found.files = files
  else if (reads) {
    const { open, readAll, stat, list, locate, display } = files
    found.files = { open, readAll, stat, list, locate, display }
  } else {
    const { write, update, remove, move } = files
    found.files = { write, update, remove, move }
  }
}
