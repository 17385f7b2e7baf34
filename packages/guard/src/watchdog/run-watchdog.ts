import type { Hint } from "@haft/contract"
import type { Detector, DetectorVerdict, WatchdogRequest } from "./detector.js"

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
