import type { AnyManifest, Hint, PlacedRule, RequirementSet } from "@haft/contract"
import type { CommandAnalysis } from "../command/command-analysis.js"

/** What the detectors say together. */
export interface WatchdogVerdict {
  readonly verdict: "pass" | "deny" | "ask"
  readonly reason: string
  readonly hint?: Hint
  /** The detector that objected. */
  readonly detector?: string
  /** The deny says that the call could not work. */
  readonly unsupported?: true
}

/** Asks every detector; deny over ask, and a detector that throws or is late counts as ask. */
export function runWatchdog(
  detectors: readonly Detector[],
  request: WatchdogRequest,
  options: { readonly timeoutMs?: number } = {},
): WatchdogVerdict | Promise<WatchdogVerdict> {
  let objection: WatchdogVerdict | undefined
  let late: Promise<WatchdogVerdict | undefined>[] | undefined
  for (const detector of detectors) {
    if (detector.commandsOnly && request.command === undefined) continue
    const answer = inspect(detector, request)
    if (answer instanceof Promise) {
      late ??= []
      late.push(inTime(detector, answer, options.timeoutMs ?? defaultTimeoutMs))
    } else {
      objection = stricter(objection, answer)
    }
  }
  return late ? withLate(objection, late) : (objection ?? pass)
}

async function withLate(
  atOnce: WatchdogVerdict | undefined,
  late: readonly Promise<WatchdogVerdict | undefined>[],
): Promise<WatchdogVerdict> {
  return (await Promise.all(late)).reduce(stricter, atOnce) ?? pass
}

// Long enough for a small model of a pattern, short enough not to be felt.
const defaultTimeoutMs = 50

const pass: WatchdogVerdict = { verdict: "pass", reason: "no detector objects" }

/** Detectors that answer at once cost no timer and no turn of the event loop. */
function inspect(detector: Detector, request: WatchdogRequest): WatchdogVerdict | undefined | Promise<DetectorVerdict> {
  try {
    const answer = detector.inspect(request)
    return isPending(answer) ? Promise.resolve(answer) : objectionOf(detector, answer)
  } catch (error) {
    return failed(detector, error)
  }
}

async function inTime(
  detector: Detector,
  answer: Promise<DetectorVerdict>,
  timeoutMs: number,
): Promise<WatchdogVerdict | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<WatchdogVerdict>((resolve) => {
    timer = setTimeout(() => resolve(ask(detector, `it gave no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([answer.then((verdict) => objectionOf(detector, verdict)), deadline])
  } catch (error) {
    return failed(detector, error)
  } finally {
    clearTimeout(timer)
  }
}

function objectionOf(detector: Detector, answer: DetectorVerdict): WatchdogVerdict | undefined {
  if (answer.verdict === "allow") return undefined
  if (answer.verdict !== "deny" && answer.verdict !== "ask") return ask(detector, "its answer makes no sense")
  return { ...answer, detector: detector.id }
}

function stricter(left: WatchdogVerdict | undefined, right: WatchdogVerdict | undefined): WatchdogVerdict | undefined {
  if (!left || !right) return left ?? right
  return right.verdict === "deny" && left.verdict !== "deny" ? right : left
}

function failed(detector: Detector, error: unknown): WatchdogVerdict {
  return ask(detector, `it failed: ${error instanceof Error ? error.message : String(error)}`)
}

function ask(detector: Detector, problem: string): WatchdogVerdict {
  return {
    verdict: "ask",
    reason: `the detector "${detector.id}" could not judge the call: ${problem}`,
    detector: detector.id,
  }
}

function isPending(answer: DetectorVerdict | Promise<DetectorVerdict>): answer is Promise<DetectorVerdict> {
  return typeof (answer as Promise<DetectorVerdict>)?.then === "function"
}

/** An earlier call of the session, by its digests. */
export interface RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  readonly resultHash: string
}

/** Text that came from outside in an earlier call. Kept as the same object from call to call, it is indexed only once. */
export interface TaintedText {
  readonly callId: string
  readonly text: string
  /** `file` for the content of a file, which may not leave the machine; otherwise the web, an MCP server or an extension. */
  readonly source?: "file"
}

/** What a detector sees of the agent's manifest. */
export interface AgentManifest {
  readonly requires: RequirementSet
  readonly rules: readonly PlacedRule[]
}

/** What a detector sees of a call: validated, frozen arguments and who asks; nothing that it could act with. */
export interface WatchdogRequest {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Digest of the arguments, made like those of `recent`; without it no repetition can be seen. */
  readonly argumentsHash?: string
  /** The manifest of the tool. */
  readonly manifest: AnyManifest
  /** The manifest of the agent: what it declares together with its tools, and its rules. */
  readonly agent: AgentManifest
  readonly sessionId: string
  /** The calls before this one, oldest first. */
  readonly recent: readonly RecentCall[]
  /** What the call's commands do, for tools that run commands. */
  readonly command?: CommandAnalysis | undefined
  /** The user's home directory. */
  readonly home?: string
  /** Results of earlier calls that others could have written. */
  readonly tainted?: readonly TaintedText[]
}

/** What a detector says; it can refuse what was allowed, never the reverse. */
export type DetectorVerdict =
  | { readonly verdict: "allow" }
  | {
      readonly verdict: "deny" | "ask"
      readonly reason: string
      /** What a model can do instead of the call. */
      readonly hint?: Hint
      /** Not because it is dangerous: it could not work. */
      readonly unsupported?: true
    }

/** What most detectors say of most calls. */
export const allow: DetectorVerdict = { verdict: "allow" }

/** A tripwire over arguments. A throw or an answer after the deadline counts as ask. */
export interface Detector {
  readonly id: string
  /** What it looks for, in a sentence for people. */
  readonly about: string
  /** True where it looks at commands alone: other calls do not go through it. */
  readonly commandsOnly?: true
  inspect(request: WatchdogRequest): DetectorVerdict | Promise<DetectorVerdict>
}

/** Asks when a call that changed nothing several times in a row is made once more. */
export const repeatedCalls: Detector = {
  id: "repeated-calls",
  about: "The same call again and again with the same result, except for tools that wait by polling",
  inspect: inspectRepetition,
}

// Fewer happens in ordinary work: a file is read again after a detour.
const tolerated = 5

function inspectRepetition({ tool, argumentsHash, manifest, recent }: WatchdogRequest): DetectorVerdict {
  const last = recent.at(-1)
  if (last?.tool !== tool || last.argumentsHash !== argumentsHash || manifest.polls === true) return allow
  if (recent.length < tolerated) return allow
  const tail = recent.slice(-tolerated)
  if (!tail.every((call) => call.tool === tool && call.argumentsHash === argumentsHash)) return allow
  // Compared last: a digest of a result may be made only when it is looked at.
  if (!tail.every((call) => call.resultHash === last.resultHash)) return allow
  const reason = `the last ${tolerated} calls were the same as this one and gave the same result`
  return { verdict: "ask", reason, hint: "Do something else: the result will not change by asking again" }
}
