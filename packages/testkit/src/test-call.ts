import {
  type Attachment,
  type BaseContext,
  type Box,
  type Clipboard,
  type Commands,
  type Conversation,
  type FileReader,
  type FileWriter,
  type Grant,
  type Jobs,
  type LanguageServers,
  type LauncherIndex,
  type Network,
  type NetworkGrant,
  nearestNames,
  type ObservedEffect,
  type Repl,
  type SandboxedGrant,
  type Search,
  type SessionMemory,
  type SessionPorts,
  type Settings,
  type Skill,
  type Skills,
  type Subagents,
  type Todo,
  type ToolDefinition,
  ToolError,
  type ToolIndex,
  type WebSearchSettings,
} from "@haft/contract"
import { fakeConversation } from "./fake-conversation.js"

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

/** What a session remembers, kept in the test. */
export function fakeMemory(initial: readonly Todo[] = []): SessionMemory {
  let todos = initial
  return {
    scratchpad: new Map(),
    recordedCalls: async () => 0,
    todos: async () => todos,
    setTodos(replaced) {
      todos = replaced
    },
  }
}

/** Skills that a test lists itself. */
export function fakeSkills(list: readonly Skill[] = []): Skills {
  return {
    list: async () => list.map(({ body: _, ...entry }) => entry),
    async load(name) {
      const found = list.find((skill) => skill.name === name)
      if (found) return found
      const near = nearestNames(
        name,
        list.map((skill) => skill.name),
      )
      throw new ToolError("not_found", `Cannot load skill "${name}": there is none of that name`, {
        ...(near.length > 0 && { hint: `Did you mean "${near[0]}"?` }),
      })
    },
  }
}

const agentNames = ["explore", "general"]

/** Agents that answer with their name and their prompt. */
const fakeSubagents: Subagents = {
  list: async () => agentNames.map((name) => ({ name, description: `Answers as ${name}`, source: "bundled" })),
  async run({ agent, prompt, background }) {
    const session = agent.startsWith("ses_") ? agent : `ses_${agent}`
    if (!agentNames.includes(session.slice(4)))
      throw new ToolError("not_found", `Cannot start "${agent}": there is no such agent`)
    const end = { output: `${agent}: ${prompt}`, reason: "done" } as const
    return { sessionId: session, missingTools: [], ...(!background && { end }) }
  },
}
