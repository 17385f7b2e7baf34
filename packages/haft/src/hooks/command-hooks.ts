import { unlink } from "node:fs/promises"
import { type AnyManifest, ignoreMissing, type SandboxedCall, ToolError } from "@haft/contract"
import { deniesFile, visibleLine } from "@haft/guard"
import { type CallHooks, type CallSession, type HookedCall, type HookVerdict, hashOf } from "@haft/runtime"
import { answerOf, type HookAnswer } from "./hook-answer.js"
import { type Hook, type HookEvent, type HookSettings, hookEvents, hooksOf, looksAt, namedTools } from "./hook-entry.js"

type Input = Readonly<Record<string, unknown>>
type Ended = { readonly output: string; readonly isError: boolean }

/** Hooks that are commands of the user or of a trusted folder, each in a read-only sandbox without network. */
export class CommandHooks implements CallHooks {
  private readonly hooks: ReadonlyMap<HookEvent, readonly Hook[]>
  private runs = 0

  constructor(
    settings: HookSettings,
    private readonly session: CallSession,
  ) {
    this.hooks = new Map(hookEvents.map((event) => [event, hooksOf(settings[event])]))
  }

  /** Names in matchers that no tool has: such a hook guards nothing, and somebody believes that it does. */
  unknownNames(tools: readonly string[]): readonly string[] {
    const named = [...this.hooks.values()].flat().flatMap(namedTools)
    return [...new Set(named)].filter((name) => !looksAt({ matcher: name }, tools) && !/^mcp_|:/i.test(name))
  }

  countBefore(manifest: AnyManifest): number {
    return this.hooksFor("PreToolUse", manifest).length
  }

  async before(call: HookedCall): Promise<HookVerdict> {
    const hooks = this.hooksFor("PreToolUse", call.manifest)
    const said = new Sayings()
    // The arguments that each hook has judged, by their hash.
    const judged = new Map<Hook, string>()
    let { input } = call
    for (const hook of hooks) {
      const answer = said.add(hook, await this.run(hook, "PreToolUse", { ...call, input }))
      if (said.denies) return said.verdict()
      input = answer.input ?? input
      judged.set(hook, hashOf(input))
    }
    const last = hashOf(input)
    if (last === hashOf(call.input)) return said.verdict()
    // What runs was seen by every hook, also by those before the one that changed it. Nothing is changed a second time.
    for (const hook of hooks.filter((each) => judged.get(each) !== last)) {
      said.add(hook, await this.run(hook, "PreToolUse", { ...call, input }))
      if (said.denies) return said.verdict()
    }
    return { ...said.verdict(), input }
  }

  async after(call: HookedCall, ended: Ended): Promise<readonly string[]> {
    const event = ended.isError ? "PostToolUseFailure" : "PostToolUse"
    const notes: string[] = []
    for (const hook of this.hooksFor(event, call.manifest)) {
      const { verdict, reason, note } = await this.run(hook, event, call, ended)
      const objection = verdict === "pass" ? undefined : `${verdict === "failed" ? "it failed: " : ""}${reason}`
      const words = [objection, note].filter((each) => each !== undefined && each !== "").join("; ")
      if (words !== "") notes.push(`${nameOf(hook)}: ${words}`)
    }
    return notes
  }

  private hooksFor(event: HookEvent, { id, judgedLike = id, formerIds = [] }: AnyManifest): readonly Hook[] {
    return this.hooks.get(event)!.filter((hook) => looksAt(hook, [id, judgedLike, ...formerIds]))
  }

  private async run(hook: Hook, event: HookEvent, call: HookedCall, ended?: Ended): Promise<HookAnswer> {
    this.runs += 1
    const scope = sandboxed(this.session, { ...call, callId: `${call.callId}-hook-${this.runs}` })
    try {
      const outcome = await this.session.ports.commands(scope).run({
        argv: ["/bin/sh", "-c", hook.command],
        timeoutMs: hook.timeoutMs,
        input: JSON.stringify(messageFor(this.session, event, call, ended)),
        environment: { HOOK_EVENT: event, HOOK_TOOL_NAME: call.manifest.id },
        keepBytes,
      })
      // Nobody reads the rest of a hook's output.
      if (outcome.outputPath !== undefined) await ignoreMissing(unlink(outcome.outputPath))
      return answerOf(outcome)
    } catch (error) {
      if (!ToolError.is(error) || error.code === "cancelled") throw error
      return { verdict: "failed", reason: `it could not be run: ${error.message}` }
    }
  }
}

const keepBytes = 256 * 1024

/** What hooks say one after the other. */
class Sayings {
  private readonly notes: string[] = []
  private readonly asks: string[] = []
  private denied: string | undefined
  private count = 0

  get denies(): boolean {
    return this.denied !== undefined
  }

  add(hook: Hook, answer: HookAnswer): HookAnswer {
    const { verdict, reason, note } = answer
    this.count += 1
    if (note !== undefined) this.notes.push(`${nameOf(hook)}: ${note}`)
    if (verdict === "ask") this.asks.push(`${nameOf(hook)} asks: ${reason}`)
    if (verdict === "deny") this.denied = `${nameOf(hook)} refuses it: ${reason}`
    if (verdict === "failed") this.denied = `${nameOf(hook)} failed, and what cannot judge a call refuses it: ${reason}`
    return answer
  }

  verdict(): HookVerdict {
    const notes = [...new Set(this.notes)]
    if (this.denied !== undefined) return { verdict: "deny", reason: this.denied, notes }
    if (this.asks.length > 0) return { verdict: "ask", reason: [...new Set(this.asks)].join("; "), notes }
    return { verdict: "pass", reason: this.count === 1 ? "the hook does not object" : "no hook objects", notes }
  }
}

function nameOf({ command }: Hook): string {
  return `the hook "${visibleLine(command, 60)}"`
}

/** The message on a hook's standard input, in the shape that other programs use too. */
function messageFor(session: CallSession, event: HookEvent, call: HookedCall, ended: Ended | undefined): Input {
  const { callId, manifest, input } = call
  return {
    hook_event_name: event,
    session_id: session.id,
    call_id: callId,
    cwd: session.directory,
    tool_name: manifest.id,
    tool_input: input,
    tool_input_json: JSON.stringify(input),
    ...(ended && { [ended.isError ? "tool_error" : "tool_output"]: ended.output, tool_result_is_error: ended.isError }),
  }
}

/** A hook may read what commands of the session may read, and change and reach nothing. */
function sandboxed(session: CallSession, { callId, signal }: Pick<HookedCall, "callId" | "signal">): SandboxedCall {
  const rules = session.rules()
  return {
    callId,
    sessionId: session.id,
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    observe: () => undefined,
    grant: {
      admits: () => false,
      mayKeep: () => false,
      denies: (kind, path) => deniesFile(rules, kind, path, session.ports),
      rulesKey: rules,
      sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    },
  }
}
