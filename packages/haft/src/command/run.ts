import { addUsage, type SessionEvent, ToolError, type TurnOutcome } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { Agent } from "../library/agent.js"
import { usageWords } from "../terminal/call-words.js"
import { styleFor } from "../terminal/style.js"
import { endLines, type RunningCall, type Screen, TurnView, VisiblePieces } from "../terminal/turn-view.js"
import type { Run } from "./command.js"
import { exitCodeOfTurn, exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { type Limits, limitsOf, openAgent } from "./open-agent.js"
import { shellWord } from "./own-command.js"
import { personStep } from "./person-step.js"
import { note, printValue } from "./print.js"
import { promptInput } from "./prompt-input.js"

/** `haft run`: one turn of an agent to its end. The model's text is data; what its tools do is conversation. */
export const run: Run = async (invocation, io) => {
  const limits = limitsOf(invocation)
  const prompt = await promptInput(invocation, io)
  const { haft, agent } = await openAgent(invocation, io, { limits })
  const time = new TimeLimit(limits.maxTimeMs, io.signal)
  const unread = new AbortController()
  io.onUnread?.((output) => {
    if (output === "stdout") unread.abort(new ToolError("cancelled", unreadWords))
  })
  const signal = AbortSignal.any([time.signal, unread.signal])
  try {
    const screen = new RunScreen(invocation, io)
    const style = styleFor(io.stderr, io.env, invocation)
    const view = new TurnView(screen, { style })
    const show = (event: SessionEvent) => {
      if (invocation.ndjson) io.stdout.write(`${JSON.stringify(event)}\n`)
      else {
        view.show(event)
        if (event.type === "tool-end") screen.stepOnce(personStep(event.envelope, invocation.say))
      }
      if (event.type === "reply" && limits.maxCost !== undefined && event.usage.cost === undefined)
        screen.noteOnce("note: the price of this model is not known: --max-cost cannot end the turn")
    }
    let outcome: TurnOutcome
    try {
      for await (const event of agent.send(prompt, { signal })) show(event)
      outcome = await agent.result
      if (outcome.reason === "done") outcome = await lastOutcome(agent, outcome, { limits, signal, show })
    } finally {
      screen.running([])
      screen.endText()
    }
    outcome = time.outcome(outcome)
    const session = await agent.session()
    if (invocation.json) printValue(invocation, io, { session, ...outcome }, () => "")
    await written(io)
    if (unread.signal.aborted) io.stderr.write(`${style.red(style.say`error:`)} ${style.say(unreadWords)}\n`)
    else if (!invocation.json && !invocation.ndjson)
      io.stderr.write(
        endLines(outcome, style)
          .map((line) => `${line}\n`)
          .join(""),
      )
    const { steps, usage } = outcome
    const { say } = invocation
    const used = usageWords(usage, say)
    const spent = steps === 1 ? say`1 reply, ${used}` : say`${steps} replies, ${used}`
    note(invocation, io, `note: ${spent}; to go on: haft run --session ${flagsToGoOn(session, invocation)} PROMPT`)
    if (io.signal?.aborted) return exitCodes.interrupted
    return unread.signal.aborted ? exitCodes.toolError : exitCodeOfTurn(outcome.reason)
  } finally {
    time.clear()
    await agent.close()
    await haft.close()
  }
}

const unreadWords = "Cannot write the output: nobody reads it any more"

/** Resolves when standard output has taken what was written, or failed to. */
async function written({ stdout, signal }: Io): Promise<void> {
  if (signal?.aborted) return
  const taken = new Promise<void>((resolve) => stdout.write("", () => resolve()))
  // A reader that takes nothing must not keep the session from who interrupts.
  const interrupted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }))
  await Promise.race([taken, interrupted])
}

/** A session is not gone on with elsewhere, nor without a model: what flags said of them must be said again. */
export function flagsToGoOn(session: string, invocation: Pick<Invocation, "list">): string {
  const said = ["root", "model", "base-url"].flatMap((name) =>
    invocation.list(name).map((value) => `--${name} ${shellWord(value)}`),
  )
  return [session, ...said].join(" ")
}

/** What the model started in the background belongs to the answer: it goes on until the last report is read. */
async function lastOutcome(
  agent: Agent,
  first: TurnOutcome,
  {
    limits: { maxCost = Number.POSITIVE_INFINITY },
    signal,
    show,
  }: { readonly limits: Limits; readonly signal: AbortSignal; readonly show: (event: SessionEvent) => void },
): Promise<TurnOutcome> {
  const session = await agent.session()
  const words = `The turn reached its limit of $${maxCost}`
  const isOver = async ({ usage: { cost = 0 } }: TurnOutcome) => cost >= maxCost && (await agent.abort(words))
  const over = { reason: "limit", message: words, hint: "Raise --max-cost, or send a message to let it go on" } as const
  let outcome = first
  if (await isOver(outcome)) return { ...outcome, ...over }
  for await (const event of agent.rest({ signal })) {
    show(event)
    if (event.session !== session) continue
    if (event.type === "turn-end") {
      const { steps, usage } = outcome
      outcome = { ...event.outcome, steps: steps + event.outcome.steps, usage: addUsage(usage, event.outcome.usage) }
    }
    // Also in a turn whose report was on its way when the one before ended.
    if (await isOver(outcome)) return { ...outcome, ...over }
  }
  if (!signal.aborted || outcome.reason !== "done") return outcome
  const message = signal.reason instanceof Error ? signal.reason.message : "the run was stopped"
  await agent.abort(message)
  return { ...outcome, reason: "aborted", message }
}

/** Ends the turn when its time is over or somebody interrupts it, also in the middle of a reply or a call. */
class TimeLimit {
  private readonly over = new AbortController()
  private readonly words: string
  private readonly timer: NodeJS.Timeout | undefined

  constructor(ms: number | undefined, interrupt: AbortSignal | undefined) {
    this.words = `The turn reached its limit of ${(ms ?? 0) / 1000} seconds`
    this.timer = ms === undefined ? undefined : setTimeout(() => this.over.abort(new Error(this.words)), ms)
    // The reason of the signal itself has no words of ours; these are in the journal, too.
    const stop = () => this.over.abort(new ToolError("cancelled", "the run was interrupted"))
    if (interrupt?.aborted) stop()
    else interrupt?.addEventListener("abort", stop, { once: true })
  }

  get signal(): AbortSignal {
    return this.over.signal
  }

  /** A turn that was aborted because its time was over has reached a limit. */
  outcome(outcome: TurnOutcome): TurnOutcome {
    if (outcome.reason !== "aborted" || outcome.message !== this.words) return outcome
    return { ...outcome, reason: "limit", hint: "Raise --max-time, or send a message to let it go on" }
  }

  clear(): void {
    clearTimeout(this.timer)
  }
}

// A call that takes longer is named while it runs.
const slowMs = 1000

/** Text on standard output, lines on standard error; nothing is drawn over. */
export class RunScreen implements Screen {
  private readonly invocation: Invocation
  private readonly io: Io
  private readonly pieces = new VisiblePieces()
  private readonly slow = new Map<string, NodeJS.Timeout>()
  private readonly noted = new Set<string>()
  private isOpen = false

  constructor(invocation: Invocation, io: Io) {
    this.invocation = invocation
    this.io = io
  }

  text(piece: string): void {
    if (piece === "" || this.invocation.json) return
    // Bytes as they are for a program, harmless ones for a terminal.
    this.write(this.io.stdout.isTTY ? this.pieces.add(piece) : piece)
  }

  endText(): void {
    this.write(this.pieces.end())
    if (this.isOpen) this.write("\n")
  }

  line(line: string): void {
    this.endText()
    if (!this.invocation.quiet) this.io.stderr.write(`${line}\n`)
  }

  running(calls: readonly RunningCall[]): void {
    // The question about a call says that it waits.
    const working = calls.filter(({ waits }) => !waits)
    for (const [id, timer] of this.slow) {
      if (working.some((call) => call.id === id)) continue
      clearTimeout(timer)
      this.slow.delete(id)
    }
    for (const { id, words } of working) {
      if (!this.slow.has(id))
        this.slow.set(
          id,
          setTimeout(() => this.line(`  ${words}  ${this.invocation.say`runs`}`), slowMs),
        )
    }
  }

  noteOnce(text: string): void {
    if (this.noted.has(text)) return
    this.noted.add(text)
    note(this.invocation, this.io, text)
  }

  /** What the person can do about a call that failed; many calls fail for one reason. */
  stepOnce(step: string | undefined): void {
    // A step that names what a model wrote could pretend to be lines of ours, and could not be pasted.
    if (step === undefined || this.noted.has(step) || /[\p{Cc}]/u.test(step)) return
    this.noted.add(step)
    this.line(`    ${visibleLine(step, 1000)}`)
  }

  private write(text: string): void {
    if (text === "") return
    this.io.stdout.write(text)
    this.isOpen = !text.endsWith("\n")
  }
}
