import { type AnyManifest, ToolError, type ToolResult, text } from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import { hashOf } from "./call-request.js"
import type { CallSignal } from "./call-signal.js"

/** A call as hooks see it. */
export interface HookedCall {
  readonly callId: string
  readonly manifest: AnyManifest
  readonly input: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** What the hooks before a call say together: deny and ask count, there is nothing that could allow. */
export interface HookVerdict {
  readonly verdict: "pass" | "ask" | "deny" | "skipped"
  readonly reason: string
  /** Other arguments, which are validated and judged as if the call had come with them. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Words for the result of the call. */
  readonly notes: readonly string[]
}

/** What looks at calls before and after their work. Each hook may narrow a call, none may widen it. */
export interface CallHooks {
  /** How many hooks look at calls of this tool before they run. */
  countBefore(manifest: AnyManifest): number
  /** A throw denies the call. */
  before(call: HookedCall): Promise<HookVerdict>
  /** Notes for the result of a call that ran. A throw becomes a note. */
  after(call: HookedCall, ended: { readonly output: string; readonly isError: boolean }): Promise<readonly string[]>
}

/** The hooks before one call: asked once about the same arguments, and their words kept for the result. */
export class HooksBefore {
  readonly notes: string[] = []
  private readonly verdicts = new Map<string, HookVerdict>()

  constructor(
    private readonly hooks: CallHooks,
    private readonly call: Omit<HookedCall, "input" | "signal"> & { readonly signal: CallSignal },
  ) {}

  async judge(input: Readonly<Record<string, unknown>>, argumentsHash: string): Promise<HookVerdict> {
    const known = this.verdicts.get(argumentsHash)
    if (known) return known
    const { callId, manifest, signal } = this.call
    const asked = { callId, manifest, input, signal: signal.signal }
    const verdict = await signal.wait(this.hooks.before(asked).catch(failed))
    this.verdicts.set(argumentsHash, verdict)
    this.notes.push(...verdict.notes)
    return verdict
  }

  /** The arguments that the hooks gave: they have judged them. */
  settle(input: Readonly<Record<string, unknown>>, { verdict, reason }: HookVerdict): void {
    this.verdicts.set(hashOf(input), { verdict, reason: `${reason}; a hook changed the arguments`, notes: [] })
  }
}

/** What cannot judge a call refuses it. */
function failed(error: unknown): HookVerdict {
  if (ToolError.is(error) && error.code === "cancelled") throw error
  return { verdict: "deny", reason: `a hook failed: ${wordsOf(error)}`, notes: [] }
}

/** The result of a call with what the hooks after it say. Never throws: the work is done. */
export async function withHooksAfter(
  session: CallSession,
  call: Omit<HookedCall, "signal"> & { readonly signal: CallSignal },
  result: ToolResult,
): Promise<ToolResult> {
  if (session.hooks === undefined || call.signal.aborted) return result
  const isError = result.envelope.type === "error"
  const output = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const asked = { ...call, signal: call.signal.signal }
  const notes = await session.hooks
    .after(asked, { output, isError })
    .catch((error: unknown) => [`a hook after the call failed: ${wordsOf(error)}`])
  return notes.length === 0 ? result : withNotes(result, notes)
}

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  const { envelope, attachments, state, whole } = result
  const added = text(notes.map((note) => `[Note: ${note}]`).join("\n"))
  const metadata = { ...envelope.metadata, notes: [...(envelope.metadata.notes ?? []), ...notes] }
  return {
    envelope: { ...envelope, metadata },
    content: [...result.content, added],
    attachments,
    ...(whole === undefined ? {} : { whole: () => [...whole(), added] }),
    ...(state === undefined ? {} : { state }),
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
