import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { Readable, Writable } from "node:stream"
import {
  type ClientCapabilities,
  type ClientConnection,
  type ClientRequestHandlersByMethod,
  client,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  type PromptResponse,
  type SessionNotification,
  type SessionUpdate,
  type ToolCall,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable"
import { type SourceCommand, startCommand } from "./source-command.js"
import type { Workbench } from "./workbench.js"

type Handlers = Partial<{ [Method in keyof ClientRequestHandlersByMethod]: ClientRequestHandlersByMethod[Method] }>

/** A call with every update that the editor got about it. */
type ShownCall = ToolCall & {
  readonly statuses: readonly unknown[]
  readonly changes: readonly ToolCallUpdate[]
}

/** An editor of tests: a client of the official library that drives a process of the command. */
export class Editor {
  readonly process: ChildProcessWithoutNullStreams
  readonly connection: ClientConnection
  readonly notifications: SessionNotification[] = []
  stderr = ""
  private readonly waiting = new Set<() => void>()

  constructor(
    command: SourceCommand,
    bench: Workbench,
    { words = [], handlers = {} }: { readonly words?: readonly string[]; readonly handlers?: Handlers } = {},
  ) {
    this.process = startCommand(command, bench, ["acp", ...words])
    this.process.stderr.on("data", (piece) => {
      this.stderr += String(piece)
    })
    const app = client({ name: "test" }).onNotification(methods.client.session.update, ({ params }) => {
      this.notifications.push(params)
      for (const wake of this.waiting) wake()
    })
    for (const [method, handler] of Object.entries(handlers)) app.onRequest(method as never, handler as never)
    const output = Writable.toWeb(this.process.stdin)
    const input = Readable.toWeb(this.process.stdout)
    this.connection = app.connect(ndJsonStream(output, input as unknown as ReadableStream<Uint8Array>))
  }

  initialize(clientCapabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    return this.connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities })
  }

  newSession(cwd: string): Promise<NewSessionResponse> {
    return this.connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    const prompt = [{ type: "text" as const, text }]
    return this.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt })
  }

  /** The updates of one kind, in order. */
  updates<Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
    sessionId?: string,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.notifications.flatMap(({ update, sessionId: of }) =>
      update.sessionUpdate === kind && (sessionId === undefined || of === sessionId) ? [update as never] : [],
    )
  }

  /** What the agent said, in one text. */
  said(sessionId?: string): string {
    return this.updates("agent_message_chunk", sessionId)
      .map(({ content }) => (content.type === "text" ? content.text : ""))
      .join("")
  }

  /** A call as it is after all updates. */
  call(title: RegExp): ShownCall | undefined {
    return this.calls().find((call) => title.test(call.title))
  }

  /** The calls as they are after all updates, in the order in which they began. */
  calls(sessionId?: string): readonly ShownCall[] {
    return this.updates("tool_call", sessionId).map((begun) => {
      const changes = this.updates("tool_call_update").filter(({ toolCallId }) => toolCallId === begun.toolCallId)
      const statuses = [begun.status, ...changes.flatMap(({ status }) => status ?? [])]
      const shown = Object.assign({}, begun, ...changes) as ToolCall
      return { ...shown, statuses: statuses.filter((status, at) => status !== statuses[at - 1]), changes }
    })
  }

  /** Resolves when this holds; looks again at each update. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds())
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.waiting.delete(wake)
          resolve()
        }
        this.waiting.add(wake)
      })
  }

  /** Goes away like an editor that is closed; gives the exit code. */
  async leave(): Promise<number | null> {
    const { exitCode, signalCode } = this.process
    const ended = exitCode === null && signalCode === null ? once(this.process, "close") : undefined
    this.connection.close()
    this.process.stdin.destroy()
    await ended
    return this.process.exitCode
  }
}
