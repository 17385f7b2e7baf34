import type {
  Attachment,
  BaseContext,
  Box,
  Commands,
  FileReader,
  FileWriter,
  Grant,
  Jobs,
  LanguageServers,
  ObservedEffect,
  Repl,
  Search,
  SessionMemory,
  SessionPorts,
  ToolDefinition,
  WalledGrant,
} from "@haft/contract"
import { fakeMemory } from "./fake-memory.js"

/** What a test may set about a call. */
export interface TestCallOptions {
  readonly grant?: Grant
  readonly limit?: number
  readonly signal?: AbortSignal
  readonly memory?: SessionMemory
}

/** A call's context with every port, and what the tool left through it. */
export interface TestCall {
  readonly context: BaseContext & {
    readonly files: FileReader & FileWriter
    readonly search: Search
    readonly commands: Commands
    readonly jobs: Jobs
    readonly repl: Repl
    readonly box: Box
    readonly languages: LanguageServers
  }
  readonly attachments: readonly Attachment[]
  readonly effects: readonly ObservedEffect[]
  readonly deltas: readonly string[]
  readonly state: () => unknown
  readonly sidecar: () => string | undefined
}

/** Everything is admitted: for tests of tools, where no judge is in the way. */
export const openGrant: WalledGrant = {
  admits: () => true,
  mayKeep: () => true,
  denies: () => false,
  wall: { profile: "work", hosts: [], approved: [], unconfined: false },
}

/** A context over real ports for one direct call of a tool. */
export function testCall(tool: ToolDefinition, ports: SessionPorts, options: TestCallOptions = {}): TestCall {
  const grant: WalledGrant = { ...openGrant, ...options.grant }
  const { limit = tool.manifest.limit.max, memory = fakeMemory() } = options
  const signal = options.signal ?? new AbortController().signal
  const attachments: Attachment[] = []
  const effects: ObservedEffect[] = []
  const deltas: string[] = []
  let state: unknown
  let sidecar: string | undefined
  const identity = { callId: "call_test", sessionId: "session_test", signal }
  const deadlineMs = Date.now() + tool.manifest.timeoutMs
  const scope = { ...identity, deadlineMs, grant, observe: (effect: ObservedEffect) => void effects.push(effect) }
  const context = {
    ...identity,
    deadlineMs,
    limit,
    memory,
    compute: ports.compute,
    files: ports.files(scope),
    search: ports.search(scope),
    commands: ports.commands(scope),
    jobs: ports.jobs(scope),
    repl: ports.repl(scope),
    box: ports.box(scope),
    languages: ports.languages(scope),
    emit: (delta: string) => void deltas.push(delta),
    attach: (attachment: Attachment) => void attachments.push(attachment),
    setState: (value: unknown) => {
      state = value
    },
    setSidecar: (path: string) => {
      sidecar = path
    },
  }
  return { context, attachments, effects, deltas, state: () => state, sidecar: () => sidecar }
}
