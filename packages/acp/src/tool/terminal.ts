import type { ClientCapabilities, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable"
import { fieldsOf } from "./call-words.js"

/** A part of the update of a call. */
export type CallPart = Partial<Omit<ToolCallUpdate, "toolCallId">>

/** Where the output of one running command is shown. The command itself always runs here, in its sandbox. */
export interface OutputView {
  /** What the editor must know before the first output. */
  begin(): Promise<CallPart>
  /** Takes a piece of output; what has to be sent for it, if anything. */
  output(delta: string): CallPart | undefined
  /** The command has ended; undefined where its code is not known. */
  end(exitCode: number | undefined): CallPart
  /** What shows the whole output afterwards; undefined where the result of the call does. */
  readonly content: ToolCallContent[] | undefined
}

/** Some editors draw a terminal for a command that the agent runs, and say so under this name. */
export function drawsOutput(capabilities: ClientCapabilities | undefined): boolean {
  return fieldsOf(capabilities?._meta).terminal_output === true
}

/** A terminal that the editor draws from what it is sent. */
export class DrawnTerminal implements OutputView {
  readonly content: ToolCallContent[]
  private readonly id: string
  private readonly directory: string

  constructor(callId: string, directory: string) {
    this.id = callId
    this.directory = directory
    this.content = [{ type: "terminal", terminalId: callId }]
  }

  async begin(): Promise<CallPart> {
    const { id, directory, content } = this
    return { content, _meta: { terminal_info: { terminal_id: id, cwd: directory } } }
  }

  output(delta: string): CallPart {
    return { _meta: { terminal_output: { terminal_id: this.id, data: delta.replace(/\r?\n/g, "\r\n") } } }
  }

  end(exitCode: number | undefined): CallPart {
    const exit_code = exitCode ?? null
    return { _meta: { terminal_exit: { terminal_id: this.id, exit_code, signal: null } } }
  }
}

// An editor shows the end of a long output while it grows; the result of the call has the rest.
const maxTail = 16_000
const everyMs = 150

/** The end of the output as text, sent again a few times a second while it grows. */
export class TextView implements OutputView {
  readonly content = undefined
  private readonly send: (part: CallPart) => void
  private tail = ""
  private timer: NodeJS.Timeout | undefined

  constructor(send: (part: CallPart) => void) {
    this.send = send
  }

  async begin(): Promise<CallPart> {
    return {}
  }

  output(delta: string): undefined {
    this.tail = (this.tail + delta).slice(-maxTail)
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.send({ content: textContent(this.tail) })
    }, everyMs)
  }

  end(): CallPart {
    clearTimeout(this.timer)
    return {}
  }
}

/** A text as the content of a call. */
export function textContent(text: string): ToolCallContent[] {
  return text === "" ? [] : [{ type: "content", content: { type: "text", text } }]
}
