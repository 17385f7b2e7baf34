import type {
  Attachment,
  ObservedEffect,
  RequirementSet,
  SessionPorts,
  ToolDefinition,
  WalledCall,
  WalledGrant,
} from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { CallSignal } from "./call-signal.js"

/** What a tool left besides its output. */
export interface Leavings {
  readonly attachments: Attachment[]
  readonly effects: ObservedEffect[]
  state: unknown
  /** The file with the whole output, where the tool wrote one itself. */
  sidecar: string | undefined
}

/** A call that is about to run. */
export interface ContextRequest {
  readonly tool: ToolDefinition
  readonly session: CallSession
  readonly callId: string
  readonly grant: WalledGrant
  readonly signal: CallSignal
  readonly leavings: Leavings
}

/** The call as its ports see it. */
export function createScope({ tool, session, callId, grant, signal, leavings }: ContextRequest): WalledCall {
  return {
    callId,
    sessionId: session.id,
    deadlineMs: session.now() + tool.manifest.timeoutMs,
    grant,
    get signal() {
      return signal.signal
    },
    observe: (effect) => {
      leavings.effects.push(effect)
    },
  }
}

/** The ports for exactly the granted scope; a port that the manifest does not require is absent. */
export function createContext(request: ContextRequest, scope: WalledCall): Record<string, unknown> {
  const { tool, session, callId, signal, leavings } = request
  const requires: RequirementSet = tool.manifest.requires
  const base = {
    callId,
    sessionId: session.id,
    deadlineMs: scope.deadlineMs,
    limit: session.limitOf(tool),
    compute: session.ports.compute,
    memory: session.memory,
    get signal() {
      return signal.signal
    },
    emit: (delta: string) => session.emit({ type: "tool-output-delta", call: callId, delta }),
    attach: (attachment: Attachment) => {
      leavings.attachments.push(attachment)
    },
    setSidecar: (path: string) => {
      leavings.sidecar = path
    },
    setState: (state: unknown) => {
      leavings.state = state
    },
  }
  return Object.assign(base, portsFor(requires, session, scope))
}

function portsFor(requires: RequirementSet, session: CallSession, scope: WalledCall): Record<string, unknown> {
  const { ports } = session
  return {
    ...filePorts(requires, ports, scope),
    ...(requires.shell ? { commands: ports.commands(scope), jobs: ports.jobs(scope), repl: ports.repl(scope) } : {}),
    ...(requires.capabilities?.includes("box") ? { box: ports.box(scope) } : {}),
    ...(requires.capabilities?.includes("lsp") ? { languages: ports.languages(scope) } : {}),
  }
}

function filePorts(requires: RequirementSet, ports: SessionPorts, scope: WalledCall): Record<string, unknown> {
  const reads = requires.fs?.read !== undefined
  const writes = requires.fs?.write !== undefined
  if (!reads && !writes) return {}
  const files = ports.files(scope)
  if (reads && writes) return { files, search: ports.search(scope) }
  if (reads) {
    const { open, readAll, stat, list, locate, display } = files
    return { files: { open, readAll, stat, list, locate, display }, search: ports.search(scope) }
  }
  return { files: { write: files.write, update: files.update } }
}
