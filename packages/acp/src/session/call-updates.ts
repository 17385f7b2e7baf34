import type {
  AgentContext,
  ClientCapabilities,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable"
import { type CallRecord, type Envelope, parsePartialJson, type SessionEvent } from "@haft/contract"
import { deniesFile } from "@haft/guard"
import type { EditorSession } from "../editor-host.js"
import { callWords, fieldsOf, placesFound } from "../tool/call-words.js"
import { ClientTerminal, type Viewer } from "../tool/client-terminal.js"
import { type DiffSource, effectDiffs } from "../tool/diff.js"
import { type CallPart, DrawnTerminal, drawsOutput, type OutputView, TextView, textContent } from "../tool/terminal.js"

/** What the calls of a session are shown with. */
export interface CallUpdateOptions {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly session: () => EditorSession
  readonly viewer: Viewer | undefined
  /** Sends an update at any time, for output that grows. */
  readonly send: (update: ToolCallUpdate) => void
}

type Written = Extract<SessionEvent, { type: "tool-input-start" }>
type Begun = Extract<SessionEvent, { type: "tool-call" }>
type Ended = Extract<SessionEvent, { type: "tool-end" }>

const maxText = 100_000
// Of arguments that stream in only what could become a title is looked at, and not at each of their pieces.
const maxWritten = 20_000
const everyMs = 100

interface WrittenCall {
  readonly turn: string
  readonly tool: string
  json: string
  title: string
  toldAt: number
}

/** Tells an editor about calls: that they are wanted, that they run, what they print, how they ended. */
export class CallUpdates {
  private readonly options: CallUpdateOptions
  private readonly views = new Map<string, OutputView>()
  /** Calls whose arguments stream in. */
  private readonly written = new Map<string, WrittenCall>()
  private hasTerminals: boolean

  constructor(options: CallUpdateOptions) {
    this.options = options
    this.hasTerminals = options.capabilities.terminal === true && options.viewer !== undefined
  }

  /** The model has begun to write a call. */
  writing({ call, tool, turn }: Written): ToolCall | undefined {
    const isNew = !this.written.has(call)
    const words = callWords(this.options.session().agent.session, tool, {})
    this.written.set(call, { turn, tool, json: "", title: words.title, toldAt: 0 })
    return isNew ? { toolCallId: call, ...words, status: "pending", _meta: { haft: { tool } } } : undefined
  }

  /** More of its arguments; an update where they change the title. */
  wrote(call: string, delta: string): ToolCallUpdate | undefined {
    const written = this.written.get(call)
    if (!written || written.json.length > maxWritten) return undefined
    written.json += delta
    if (Date.now() - written.toldAt < everyMs) return undefined
    const { title } = callWords(this.options.session().agent.session, written.tool, parsePartialJson(written.json))
    written.toldAt = Date.now()
    if (title === written.title) return undefined
    written.title = title
    return { toolCallId: call, title }
  }

  /** The calls of a turn that were begun to be written and never came: their reply broke off or was begun again. */
  dropUnfinished(of: string): readonly ToolCallUpdate[] {
    const dropped = [...this.written].flatMap(([call, { turn }]) => (turn === of ? [call] : []))
    for (const call of dropped) this.written.delete(call)
    return dropped.map((toolCallId) => ({ toolCallId, status: "failed" as const }))
  }

  /** It was called. `isNew` where the editor has not seen it being written. */
  begun({ call, tool, arguments: input, session: by }: Begun): { readonly isNew: boolean; readonly call: ToolCall } {
    const { agent } = this.options.session()
    const isNew = !this.written.delete(call)
    const begun: ToolCall = {
      toolCallId: call,
      ...callWords(agent.session, tool, input),
      status: "pending",
      rawInput: input,
      _meta: { haft: { tool, ...(by !== agent.id && { session: by }) } },
    }
    return { isNew, call: begun }
  }

  /** It was allowed and runs now. */
  async started(call: string, tool: string): Promise<ToolCallUpdate> {
    const { session } = this.options.session().agent
    const runs = { toolCallId: call, status: "in_progress" as const }
    if (session.registry.find(tool)?.manifest.kind !== "execute") return runs
    const [view, part] = await this.viewFor(call, session.directory)
    this.views.set(call, view)
    return { ...runs, ...part }
  }

  output(call: string, delta: string): ToolCallUpdate | undefined {
    const part = this.views.get(call)?.output(delta)
    return part && { toolCallId: call, ...part }
  }

  async ended({ call, envelope }: Ended): Promise<ToolCallUpdate> {
    const view = this.views.get(call)
    this.views.delete(call)
    const { exit_code: code } = fieldsOf(envelope.type === "output" ? envelope.data : undefined)
    const part = view?.end(typeof code === "number" ? code : undefined)
    const record = await this.options.session().call(call)
    return { toolCallId: call, ...part, ...(await this.result(envelope, record, view?.content)) }
  }

  /** A call of the journal, as it would have been shown. */
  async recorded(record: CallRecord): Promise<ToolCall> {
    const { callId, tool, arguments: input, rawArguments, envelope } = record
    const { session } = this.options.session().agent
    const words = callWords(session, tool, input ?? rawArguments)
    const result = envelope && (await this.result(envelope, record, undefined))
    return { toolCallId: callId, ...words, rawInput: input ?? rawArguments, ...result } as ToolCall
  }

  /** For those who are asked, and for what was changed: texts of files that no rule denies to show. */
  diffSource(): DiffSource {
    const { agent, formerContent } = this.options.session()
    const { session } = agent
    const isDenied = (path: string) => deniesFile(session.rules(), "fs.read", path, session.ports)
    return {
      directory: session.directory,
      current: (path) => session.ports.peek(path, (resolved) => !isDenied(resolved)) ?? undefined,
      hash: (path) => session.ports.contentHash(path),
      former: formerContent,
    }
  }

  private async result(
    envelope: Envelope,
    record: CallRecord | undefined,
    shown: ToolCallContent[] | undefined,
  ): Promise<CallPart> {
    const diffs = record ? await effectDiffs(record, this.diffSource()) : []
    const places = record ? placesFound(record, this.options.session().agent.session.directory) : []
    const words = envelope.type === "error" ? envelope.error_text : record?.text
    const text = (words ?? JSON.stringify(envelope.type === "output" ? envelope.data : null)).slice(0, maxText)
    return {
      status: envelope.type === "output" ? "completed" : "failed",
      content: shown
        ? [...shown, ...diffs]
        : diffs.length > 0 && envelope.type === "output"
          ? diffs
          : textContent(text),
      ...(places.length > 0 && { locations: places }),
      rawOutput: envelope,
    }
  }

  /** A terminal where the editor has any; one that it refuses is not asked for again. */
  private async viewFor(call: string, directory: string): Promise<readonly [OutputView, CallPart]> {
    const { client, capabilities, viewer, send, session } = this.options
    if (drawsOutput(capabilities)) {
      const drawn = new DrawnTerminal(call, directory)
      return [drawn, await drawn.begin()]
    }
    if (this.hasTerminals && viewer) {
      const terminal = new ClientTerminal(client, { sessionId: session().agent.id, cwd: directory }, viewer)
      try {
        return [terminal, await terminal.begin()]
      } catch {
        this.hasTerminals = false
      }
    }
    return [new TextView((part) => send({ toolCallId: call, ...part })), {}]
  }
}
