import type { CallRecord, RecordedAnswer, SessionRecord, TurnOutcome, TurnRecord, TurnResult } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { reasonWords, type Say } from "@haft/language"
import { sessionNamed } from "../../library/branch-session.js"
import { durationWords, usageWords } from "../../terminal/call-words.js"
import type { Style } from "../../terminal/style.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { withStore } from "./with-store.js"

/** `haft session show`: what happened, turn by turn and call by call. */
export const run: Run = async (invocation, io) => {
  const { session, calls, turns } = await withStore(invocation, io, async (store, { roots }) => {
    const found = await sessionNamed(store, invocation.operands[0]!, roots)
    return { session: found, calls: await store.calls(found.id), turns: await store.records(found.id) }
  })
  const agent = turns.length > 0 && { turns, tools: toolUse(calls) }
  printValue(invocation, io, { session, calls, ...agent }, (style) => {
    const head = `${style.bold(session.id)}  ${visibleLine(session.directory)}  ${style.say`since ${new Date(session.createdAt).toISOString()}`}`
    const events = [
      ...calls.map((call) => ({ at: call.startedAt, text: callLines(call, style) })),
      ...turns.flatMap((record) => ({ at: record.at, text: turnLine(record, style) ?? [] })),
    ].sort((one, other) => one.at - other.at)
    const lines = events.flatMap(({ text }) => text)
    return [head, ...facts(session, calls, style.say), ...(lines.length === 0 ? [style.say`no calls`] : lines)].join(
      "\n",
    )
  })
  return exitCodes.ok
}

/** Where the session comes from, and what its models and tools used. */
function facts(
  { usage, agent, metadata: { forkedFrom, parent } }: SessionRecord,
  calls: readonly CallRecord[],
  say: Say,
): readonly string[] {
  const { session, at } = (forkedFrom ?? {}) as { readonly session?: string; readonly at?: string }
  const fork =
    session === undefined ? [] : [at === undefined ? say`forked from ${session}` : say`forked from ${session} at ${at}`]
  const origin = typeof parent === "string" ? [...fork, say`subagent ${visibleLine(agent)} of ${parent}`] : fork
  if (!usage) return origin
  const tools = toolUse(calls).map(({ tool, calls, errors, tokens, ms }) => {
    const made = errors === 0 ? say`${calls} calls` : say`${calls} calls, ${errors} failed`
    return `  ${tool}  ${say`${made}, about ${tokens} tokens of results, ${durationWords(ms)}`}`
  })
  return [...origin, usageWords(usage, say), ...tools]
}

/** What the calls of each tool took, most tokens first. */
function toolUse(calls: readonly CallRecord[]): readonly ToolUse[] {
  const byTool = new Map<string, ToolUse>()
  for (const { tool, envelope, text = "" } of calls) {
    if (!envelope) continue
    const before = byTool.get(tool) ?? { tool, calls: 0, errors: 0, tokens: 0, ms: 0 }
    byTool.set(tool, {
      tool,
      calls: before.calls + 1,
      errors: before.errors + (envelope.type === "error" ? 1 : 0),
      // Four characters a token, as the context is counted.
      tokens: before.tokens + Math.ceil(text.length / 4),
      ms: before.ms + envelope.metadata.duration_ms,
    })
  }
  return [...byTool.values()].sort((one, other) => other.tokens - one.tokens)
}

interface ToolUse {
  readonly tool: string
  readonly calls: number
  readonly errors: number
  /** What the model read of the results, about. */
  readonly tokens: number
  readonly ms: number
}

/** What a person wants to know of a turn; its steps are seen by their calls. */
function turnLine(record: TurnRecord, style: Style): string | undefined {
  const words = turnWords(record, style.say)
  if (words === undefined) return undefined
  const time = new Date(record.at).toISOString().slice(11, 19)
  return `${time}  ${style.bold(style.say`turn`)}  ${visibleLine(words, 120)}  ${style.dim(record.turnId)}`
}

function turnWords(record: TurnRecord, say: Say): string | undefined {
  switch (record.kind) {
    case "start":
      return say`starts: ${JSON.stringify(record.input)}`
    case "resume":
      return say`goes on in another process, attempt ${record.attempt}`
    case "wait":
      return say`waits for "${record.name}": ${JSON.stringify(record.ask)}`
    case "answer":
      return say`is answered "${record.name}": ${JSON.stringify(record.value)}`
    case "expired":
      return say`gets no answer for "${record.name}": ${record.state}`
    case "failure":
      return say`step "${record.key}" failed: ${say(record.error.message)}`
    case "rewind":
      return say`is the last that the model sees: the session was rewound`
    case "end": {
      const { state, why } = howEnded(record.result)
      return why === undefined ? say`ends` : say`ends ${state}: ${say(why)}`
    }
    default:
      return undefined
  }
}

/** A turn that could go to its end says by itself when the model failed or a limit was reached. */
function howEnded(result: TurnResult): { readonly state: string; readonly why: string | undefined } {
  if (result.state === "aborted") return { state: result.state, why: result.reason }
  if (result.state === "failed") return { state: result.state, why: result.message }
  const { reason, message } = (result.value ?? {}) as Partial<TurnOutcome>
  return { state: reason ?? result.state, why: reason === "done" ? undefined : message }
}

function callLines(call: CallRecord, style: Style): string {
  const time = new Date(call.startedAt).toISOString().slice(11, 19)
  const lines = [
    `${time}  ${style.bold(call.tool)}  ${visibleLine(JSON.stringify(call.arguments ?? call.rawArguments), 120)}  ${style.dim(call.callId)}`,
  ]
  lines.push(`          ${call.ladder.verdict}: ${visibleLine(whyDecided(call, style.say))}`)
  for (const answer of call.answers ?? []) lines.push(`          ${visibleLine(answerWords(answer, style.say))}`)
  for (const effect of call.effects) {
    if (effect.kind === "fs.read") continue
    const subject = effect.kind === "net.fetch" ? effect.host : effect.path
    const refused =
      effect.kind === "net.fetch" && effect.refused !== undefined
        ? `  ${style.say`refused: ${style.say(effect.refused)}`}`
        : ""
    lines.push(`          ${effect.kind} ${visibleLine(`${subject}${refused}`)}`)
  }
  lines.push(`          ${outcome(call, style)}`)
  return lines.join("\n")
}

function answerWords({ answer, by, rule, reason }: RecordedAnswer, say: Say): string {
  const who = {
    person: say`answer ${answer} by a person`,
    caller: say`answer ${answer} by the caller, in advance`,
    nobody: say`answer ${answer} by nobody`,
  }[by]
  const kept = rule === undefined ? who : say`${who}, keeping ${rule}`
  return reason === undefined ? kept : `${kept}: ${say(reason)}`
}

/** The reason of an answered call is why it was asked about; what let it through is the answer. */
function whyDecided({ ladder }: CallRecord, say: Say): string {
  const last = ladder.rungs.at(-1)
  const reason = reasonWords(ladder.reason, ladder, say)
  return ladder.verdict === "allow" && last?.rung === "person" ? `${say(last.reason)} (${reason})` : reason
}

function outcome({ envelope }: CallRecord, style: Style): string {
  if (!envelope) return style.yellow(style.say`not finished`)
  const took = `${Math.round(envelope.metadata.duration_ms)} ms`
  const { say } = style
  if (envelope.type === "output") {
    const output = style.green(say`output`)
    return envelope.metadata.truncated ? say`${output} after ${took}, truncated` : say`${output} after ${took}`
  }
  const failed = style.red(`${say`error`} ${envelope.metadata.error_code ?? ""}`.trim())
  return say`${failed} after ${took}: ${visibleLine(say(envelope.error_text))}`
}
