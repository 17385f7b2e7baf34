import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable"
import { type StopReason as EndReason, type SessionEvent, ToolError, type TurnOutcome } from "@haft/contract"
import type { EditorHost, EditorSession, OpenRequest } from "../editor-host.js"
import { EditorPerson } from "../person/editor-person.js"
import { promptInput } from "../prompt/prompt-input.js"
import { availableCommands, runCommand } from "../prompt/slash-commands.js"
import type { Viewer } from "../tool/client-terminal.js"
import { EditorFiles } from "../wire/editor-files.js"
import { modeNamed, sessionState } from "./session-options.js"
import { SessionUpdates } from "./session-updates.js"

/** The editor at the other end. */
export interface Editor {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  /** Shows the output of commands in a terminal of the editor. */
  readonly viewer: Viewer | undefined
}

/** One session as an editor drives it. */
export class EditorAgentSession {
  private readonly session: EditorSession
  private readonly updates: SessionUpdates
  private readonly prompts = new Set<AbortController>()

  private constructor(session: EditorSession, updates: SessionUpdates) {
    this.session = session
    this.updates = updates
  }

  /** Opens a session; of an earlier one the editor is sent what happened so far, where it wants that. */
  static async open(
    host: EditorHost,
    { client, capabilities, viewer }: Editor,
    request: Pick<OpenRequest, "session" | "folders" | "mcpServers"> & { readonly replay?: boolean },
  ): Promise<EditorAgentSession> {
    const { replay = false, ...wanted } = request
    let opened: EditorAgentSession | undefined
    let isOpen: () => void = () => undefined
    const opening = new Promise<void>((resolve) => {
      isOpen = resolve
    })
    const session = () => opened!.session
    const updates = new SessionUpdates({ client, capabilities, viewer, session, onMode: () => opened!.tellOptions() })
    const person = new EditorPerson({
      client,
      capabilities,
      context: async () => {
        await opening
        return opened!.askContext()
      },
      cancel: () => void opened?.cancel(),
    })
    const buffers = new EditorFiles(client, capabilities.fs, () => opened?.place(wanted.folders))
    const since = Date.now()
    const onEvent = (event: SessionEvent) => updates.push(event)
    opened = new EditorAgentSession(await host.open({ ...wanted, person, buffers, onEvent }), updates)
    isOpen()
    try {
      const { turns, calls } = await opened.session.history()
      // What a running turn has recorded since then is sent as it happens.
      const before = {
        turns: turns.filter(({ at }) => at < since),
        calls: calls.filter(({ endedAt }) => endedAt !== null && endedAt < since),
      }
      await updates.begin(replay ? { turns, calls } : before, { replay })
      return opened
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  get id(): string {
    return this.session.agent.id
  }

  /** Modes and options, as the editor shows them. */
  get state(): ReturnType<typeof sessionState> {
    return sessionState(this.session)
  }

  /** What an editor learns about a session that it has just opened. */
  async introduce(): Promise<void> {
    const commands = await availableCommands(this.session.agent.session)
    await this.updates.send({ sessionUpdate: "available_commands_update", availableCommands: commands })
    for (const note of this.session.notes) await this.updates.say(`Note: ${note}\n`)
  }

  /** One turn from a message to its end, or a command that needs no model. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const input = promptInput(blocks)
    const command = await runCommand(input, this.session, this.updates.calls.diffSource())
    if (command && "say" in command) {
      await this.updates.say(command.say, command.diffs)
      return { stopReason: "end_turn" }
    }
    const { agent } = this.session
    const turnId = agent.newTurnId()
    const cancelled = new AbortController()
    this.prompts.add(cancelled)
    // The signal is also aborted when the connection closes; the turn then goes on when the editor is back.
    signal.addEventListener("abort", () => isCancelled(signal) && cancelled.abort(new Error(byPerson)))
    try {
      const ended = this.updates.ended(turnId)
      await agent.start(command?.send ?? input, { turnId, signal: cancelled.signal })
      return responseOf(await ended)
    } finally {
      this.prompts.delete(cancelled)
    }
  }

  /** Ends what runs: turns of this session and of those that work for it, with their processes. */
  async cancel(): Promise<void> {
    for (const prompt of this.prompts) prompt.abort(new Error(byPerson))
    await this.session.abortAll(byPerson)
  }

  async setMode(name: string): Promise<void> {
    await this.session.useMode(modeNamed(name))
    await this.updates.tellMode()
  }

  async setOption(id: string, value: string | boolean): Promise<SessionConfigOption[]> {
    if (id === "mode") await this.setMode(String(value))
    else if (id === "model") await this.setModel(String(value))
    else
      throw new ToolError("invalid_args", `Cannot set "${id}": there is no such option`, { hint: "Use mode or model" })
    return this.state.configOptions
  }

  /** Lets go of the session; a turn that runs can go on later. */
  async close(): Promise<void> {
    this.updates.end()
    await this.session.close()
  }

  private async setModel(model: string): Promise<void> {
    if (this.prompts.size > 0)
      throw new ToolError("conflict", "Cannot change the model while a turn runs", {
        hint: "Wait for its end, or cancel it",
      })
    await this.session.useModel(model)
  }

  /** Says which mode holds, to editors of either kind. */
  private async tellOptions(): Promise<void> {
    const { modes, configOptions } = this.state
    await this.updates.send({ sessionUpdate: "current_mode_update", currentModeId: modes.currentModeId })
    await this.updates.send({ sessionUpdate: "config_option_update", configOptions })
  }

  private askContext() {
    return { sessionId: this.id, session: this.session.agent.session, diffs: this.updates.calls.diffSource() }
  }

  private place(folders: readonly string[]) {
    return { id: this.id, folders: this.session.roots.map((real, index) => ({ real, named: folders[index] ?? real })) }
  }
}

const byPerson = "the person cancelled the turn"

const requestCancelled = -32800

/** Whether the editor took its request back. */
function isCancelled({ reason }: AbortSignal): boolean {
  return reason instanceof RequestError && reason.code === requestCancelled
}

function responseOf(outcome: TurnOutcome): PromptResponse {
  const stopReason = reasons[outcome.reason]
  if (stopReason === undefined) {
    throw new ToolError(
      "backend",
      outcome.message ?? "The turn failed",
      outcome.hint === undefined ? {} : { hint: outcome.hint },
    )
  }
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = outcome.usage
  return {
    stopReason,
    usage: {
      totalTokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
      inputTokens,
      outputTokens,
      thoughtTokens: reasoningTokens,
      cachedReadTokens: cacheReadTokens,
      cachedWriteTokens: cacheWriteTokens,
    },
    ...(outcome.message !== undefined && { _meta: { haft: { message: outcome.message } } }),
  }
}

/** Ends that are no failure; what is left is an error of the request. */
const reasons: Readonly<Partial<Record<EndReason, StopReason>>> = {
  done: "end_turn",
  aborted: "cancelled",
  limit: "max_turn_requests",
  length: "max_tokens",
  refused: "refusal",
}
