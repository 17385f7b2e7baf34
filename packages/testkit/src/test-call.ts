import type {
  Attachment,
  BaseContext,
  Box,
  Clipboard,
  Commands,
  Conversation,
  FileReader,
  FileWriter,
  Grant,
  Jobs,
  LanguageServers,
  LauncherIndex,
  Network,
  NetworkGrant,
  ObservedEffect,
  Repl,
  SandboxedGrant,
  Search,
  SessionMemory,
  SessionPorts,
  Settings,
  Skills,
  Subagents,
  ToolDefinition,
  ToolIndex,
  WebSearchSettings,
} from "@haft/contract"
import { fakeConversation } from "./fake-conversation.js"
import { fakeMemory } from "./fake-memory.js"
import { fakeSkills } from "./fake-skills.js"
import { fakeSubagents } from "./fake-subagents.js"

/** What a test may set about a call. */
export interface TestCallOptions {
  readonly grant?: Grant
  readonly limit?: number
  readonly signal?: AbortSignal
  readonly memory?: SessionMemory
  readonly skills?: Skills
  readonly tools?: ToolIndex
  readonly conversation?: Conversation
  readonly subagents?: Subagents
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
    readonly network: Network
    readonly webSearchSettings: WebSearchSettings
    readonly clipboard: Clipboard
    readonly index: LauncherIndex
    readonly settings: Settings
  }
  readonly attachments: readonly Attachment[]
  readonly effects: readonly ObservedEffect[]
  readonly deltas: readonly string[]
  readonly state: () => unknown
  readonly sidecar: () => string | undefined
}

/** Everything is admitted: for tests of tools, where no judge is in the way. */
export const openGrant: SandboxedGrant & NetworkGrant = {
  admits: () => true,
  admitsHost: () => ({ allowed: true }),
  mayKeep: () => true,
  denies: () => false,
  sandbox: { profile: "workspace-write", hosts: [], approved: [], unconfined: false },
}

/** A context over real ports for one direct call of a tool. */
export function testCall(tool: ToolDefinition, ports: SessionPorts, options: TestCallOptions = {}): TestCall {
  const grant = { ...openGrant, ...options.grant }
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
    skills: options.skills ?? fakeSkills(),
    tools: options.tools ?? { size: 0, search: () => [] },
    conversation: options.conversation ?? fakeConversation(),
    subagents: options.subagents ?? fakeSubagents,
    compute: ports.compute,
    files: ports.files(scope),
    search: ports.search(scope),
    commands: ports.commands(scope),
    jobs: ports.jobs(scope),
    repl: ports.repl(scope),
    box: ports.box(scope),
    languages: ports.languages(scope),
    network: ports.network(scope),
    webSearchSettings: ports.webSearchSettings,
    clipboard: ports.clipboard(scope),
    index: ports.index(scope),
    settings: ports.settings(scope),
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
