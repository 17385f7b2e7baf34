import type { CallRecord, Dialect, Json, StepOptions, StepScope, StepSpec, ToolResult, TurnPort } from "@haft/contract"
import { type CallSession, runCall, runDialectCall } from "@haft/runtime"
import { jsonrepair } from "jsonrepair"
import { type CallOutcome, stepKeys, type TurnCall } from "./conversation.js"
import type { TurnPerson } from "./person.js"
import { outcomeOf } from "./recorded-conversation.js"
import type { TurnState } from "./turn-state.js"

/** What calls of a turn are made with. */
export interface CallHost {
  readonly session: CallSession
  readonly person: TurnPerson | undefined
  readonly dialect: Dialect | undefined
  /** The record of a call that an earlier process made. */
  readonly recorded: (callId: string) => Promise<CallRecord | undefined>
  /** Answers a wait of this turn. */
  readonly give: (turnId: string, name: string, value: Json) => void
}

// Enough to hide the latency of files and web pages; more only makes them wait for each other.
const sideBySide = 8

/** Runs the calls of one reply: neighbours that only read side by side, the others one after another, in the model's order. */
export async function runCalls(
  port: TurnPort,
  step: number,
  calls: readonly TurnCall[],
  host: CallHost,
  turn: TurnState,
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  for (let from = 0, to = 0; from < calls.length; from = to) {
    to = groupEnd(calls, from)
    if (to === from + 1) {
      const { key, run, options } = specOf(port, stepKeys.call(step, from), calls[from]!, host)
      const outcome = (await port.step(key, run, options)) as unknown as CallOutcome
      // Before the next call: what is left is the limit of an agent that it starts.
      turn.spend(outcome.usage)
      outcomes.push(outcome)
      continue
    }
    const first = from
    const group = calls.slice(from, to)
    const specs = group.map((call, index) => specOf(port, stepKeys.call(step, first + index), call, host))
    const settled = await port.parallel(specs, { limit: sideBySide })
    settled.forEach((end, index) => {
      const outcome = end.ok
        ? (end.value as unknown as CallOutcome)
        : { call: group[index]!.id, text: end.error.message, isError: true }
      turn.spend(outcome.usage)
      outcomes.push(outcome)
    })
  }
  return outcomes
}

/** The end of the group that begins at this place: a call with its neighbours where all only read. */
function groupEnd(calls: readonly TurnCall[], from: number): number {
  let to = from + 1
  if (calls[from]!.readOnly) while (calls[to]?.readOnly) to += 1
  return to
}

function specOf(port: TurnPort, key: string, call: TurnCall, host: CallHost): StepSpec<Json> {
  const options: StepOptions<Json> = {
    // The call's own record is the record of the step: begun calls of a dead process are closed as interrupted when its
    // session is claimed, so that a tool which must not run twice does not.
    recorded: async () => {
      const record = await host.recorded(call.id)
      return record?.envelope && (outcomeOf(record) as unknown as Json)
    },
  }
  return { key, run: (scope) => runOne(port, call, host, scope) as Promise<unknown> as Promise<Json>, options }
}

async function runOne(port: TurnPort, call: TurnCall, host: CallHost, scope: StepScope): Promise<CallOutcome> {
  const leave = host.person?.enter(call.id, scope, (name, value) => host.give(port.turnId, name, value))
  try {
    const request = {
      name: call.name,
      arguments: parseInput(call.input),
      callId: call.id,
      fromModel: true,
      signal: scope.signal,
    }
    const { dialect, session } = host
    if (!dialect) return outcomeFrom(call.id, await runCall(request, session))
    const { result, projection } = await runDialectCall({ ...request, dialect }, session)
    const text = projection.text === "" ? JSON.stringify(projection.value) : projection.text
    return { ...outcomeFrom(call.id, result), text, isError: !projection.success }
  } finally {
    leave?.()
  }
}

function outcomeFrom(call: string, { envelope, content }: ToolResult): CallOutcome {
  const isError = envelope.type === "error"
  const { usage, error_code } = envelope.metadata
  const [only] = content
  if (error_code === undefined && usage === undefined && content.length === 1 && only?.type === "text")
    return { call, text: only.text, isError }
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const images = content.flatMap((part) => (part.type === "image" ? [part] : []))
  const refused = error_code === "denied" && { refused: true as const }
  return { call, text, isError, ...refused, ...(images.length > 0 ? { images } : {}), ...(usage && { usage }) }
}

/**
 * The arguments that a model wrote. Trailing commas, comments, quotes of the wrong kind and fences are mended. A text that
 * breaks off is not: a file that is written must not end where the model's reply was cut.
 */
export function parseInput(input: string): unknown {
  const text = input.trim()
  if (text === "") return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    const bare = text.replace(/^```(?:json)?\s*|\s*```$/g, "")
    if (!isWhole(bare)) return broken(text, error)
    try {
      return JSON.parse(jsonrepair(bare))
    } catch {
      return broken(text, error)
    }
  }
}

/** Goes on as a text: validation then answers that the arguments must be an object, and the record has what came. */
function broken(text: string, error: unknown): string {
  return `${text.slice(0, 2000)} (${error instanceof Error ? error.message : String(error)})`
}

/** Whether every string and every bracket of a text is closed: one that breaks off has an open one. */
function isWhole(text: string): boolean {
  let depth = 0
  let quote = ""
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (quote !== "") {
      if (character === "\\") at += 1
      else if (character === quote) quote = ""
    } else if (character === '"' || (character === "'" && /[{[,:\s]/.test(text[at - 1] ?? ""))) quote = character
    else if (character === "{" || character === "[") depth += 1
    else if (character === "}" || character === "]") {
      depth -= 1
      if (depth === 0) return text.slice(at + 1).trim() === ""
    }
  }
  return false
}
