import { join } from "node:path"
import {
  bestEffort,
  type EndedProcess,
  type PathRules,
  type Repl,
  type ReplOutcome,
  type ReplRequest,
  type SandboxedCall,
  streamOrder,
  streamRuns,
  ToolError,
} from "@haft/contract"
import type { CommandSandboxes } from "../../sandbox/sandbox.js"
import { cancelled, within } from "../../wait.js"
import { RulesWatch } from "../long-lived/long-lived.js"
import { OutputSidecar } from "../process/output-sidecar.js"
import { nextProcessTag, tagName } from "../process/spawn.js"
import { createProgramFinder, quietEnvironment, type Workplace } from "../workplace.js"
import { type Driver, drivers } from "./driver/index.js"
import { type Answer, Interpreter } from "./interpreter.js"

type Language = ReplRequest["language"]

/** The interpreters of a session: one a language, started at first use, kept until the session closes. */
export class SessionRepl {
  private readonly kept = new Map<Language, Interpreter>()
  private readonly lines = new Map<Language, Promise<unknown>>()
  private readonly running = new Map<Interpreter, Language>()
  /** Starts that are not over: a session does not close in front of them. */
  private readonly beginning = new Set<Promise<Interpreter>>()
  private readonly rules = new RulesWatch((rules) => this.obeyAll(rules))
  private isClosed = false

  constructor(private readonly options: ReplOptions) {}

  /** The interpreter port of one call. */
  port(call: SandboxedCall): Repl {
    return {
      evaluate: async (request) => {
        const { language, fresh, code } = request
        if (code.includes("\0")) {
          const message = `Cannot evaluate ${language}: the code contains a NUL character; remove it`
          throw new ToolError("invalid_args", message)
        }
        if (fresh) return this.evaluate(call, request)
        // One piece at a time: they share their state.
        const turn = (this.lines.get(language) ?? Promise.resolve()).then(() => this.evaluate(call, request))
        this.lines.set(language, bestEffort("the caller of that piece has its error", turn))
        return turn
      },
    }
  }

  /** Ends the interpreters that new rules forbid; resolves to those. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]> {
    return this.rules.changed(rules)
  }

  /** Ends all interpreters. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([...this.running.keys()].map((interpreter) => interpreter.end()))
    await Promise.allSettled(this.beginning)
  }

  private async evaluate(call: SandboxedCall, request: ReplRequest): Promise<ReplOutcome> {
    if (request.signal.aborted) throw cancelled(request.signal)
    const before = request.fresh ? undefined : this.kept.get(request.language)
    const interpreter = await this.interpreterFor(call, request)
    // Reported once: by the piece that was cut off, or by the first one that finds the state gone.
    const lost = before !== interpreter && before?.outgrown !== undefined && !before.isLossReported
    try {
      const sidecar = new OutputSidecar({
        ...{ folder: join(this.options.sessionFolder, "out"), name: call.callId },
        onRoom: () => interpreter.resume(),
      })
      const outcome = await evaluateIn(interpreter, request, sidecar)
      return lost ? withNote(outcome, outgrownNote(request.language, before)) : outcome
    } finally {
      if (request.fresh) await interpreter.end()
    }
  }

  private async interpreterFor(call: SandboxedCall, { language, fresh }: ReplRequest): Promise<Interpreter> {
    const known = this.kept.get(language)
    if (known && !known.hasExited && !fresh && !(await known.obey(call.grant))) return known
    const rulesSince = this.rules.starting()
    const begun = this.begin(call, language)
    this.beginning.add(begun)
    const started = await begun.finally(() => this.beginning.delete(begun))
    if (!fresh) this.kept.set(language, started)
    const newer = rulesSince()
    if (newer) await started.obey(newer)
    return started
  }

  private async begin(call: SandboxedCall, language: Language): Promise<Interpreter> {
    const started = await startInterpreter(this.options, call, language)
    this.running.set(started, language)
    started.over.then(() => this.running.delete(started))
    if (!this.isClosed) return started
    await started.end()
    throw new ToolError("unavailable", `Cannot evaluate ${language}: the session is closing`)
  }

  private async obeyAll(rules: PathRules): Promise<readonly EndedProcess[]> {
    const ended = [...this.running].map(async ([interpreter, name]): Promise<readonly EndedProcess[]> => {
      const reason = await interpreter.obey(rules)
      return reason === undefined ? [] : [{ kind: "interpreter", name, reason }]
    })
    return (await Promise.all(ended)).flat()
  }
}

async function evaluateIn(
  interpreter: Interpreter,
  request: ReplRequest,
  sidecar: OutputSidecar,
): Promise<ReplOutcome> {
  const { code, keepBytes, timeoutMs, signal, language } = request
  const answer = interpreter.evaluate(code, keepBytes, sidecar)
  const cut = await firstCut(answer, timeoutMs, signal)
  if (cut !== undefined) await interruptOrEnd(interpreter, answer, drivers[language].graceMs)
  const ended = await answer
  const output = interpreter.takeOutput()
  const outputPath = await sidecar.finish()
  if (cut === "aborted") throw cancelled(signal)
  const outcome = {
    ...output.finish(),
    exitCode: exitCodeOf(ended, drivers[language], cut !== undefined),
    timedOut: cut === "late",
    isolation: interpreter.isolation,
    ...(outputPath !== undefined && { outputPath }),
  }
  return "lost" in ended ? withNote(outcome, lostNote(language, interpreter, cut === "late")) : outcome
}

/** Why a piece is to be stopped; undefined when it answered by itself. */
function firstCut(
  answer: Promise<Answer>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<"late" | "aborted" | undefined> {
  return new Promise((resolve) => {
    const settle = (cut: "late" | "aborted" | undefined) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
      resolve(cut)
    }
    const onAbort = () => settle("aborted")
    const timer = setTimeout(() => settle("late"), timeoutMs)
    signal.addEventListener("abort", onAbort, { once: true })
    answer.then(() => settle(undefined))
  })
}

async function interruptOrEnd(interpreter: Interpreter, answer: Promise<Answer>, graceMs: number): Promise<void> {
  await interpreter.interrupt()
  let isAnswered = false
  await within(
    graceMs,
    answer.then(() => {
      isAnswered = true
    }),
  )
  if (!isAnswered) await interpreter.end()
}

function exitCodeOf(answer: Answer, { exitCounts }: Driver, cut: boolean): number | null {
  if ("status" in answer) return answer.status
  return exitCounts && !cut ? answer.exitCode : null
}

function lostNote(language: Language, interpreter: Interpreter, late: boolean): string {
  if (interpreter.outgrown !== undefined) return outgrownNote(language, interpreter)
  const why = late ? "did not stop in time and was ended" : "has ended"
  return `[The ${language} interpreter ${why}; its state is lost, and the next piece starts a new one]`
}

function outgrownNote(language: Language, interpreter: Interpreter): string {
  interpreter.isLossReported = true
  return `[The ${language} interpreter was ended because ${interpreter.outgrown}; its state is lost, and a new one is started]`
}

function withNote(outcome: ReplOutcome, note: string): ReplOutcome {
  const { stderr, order } = outcome
  const gap = stderr.text === "" || stderr.text.endsWith("\n") ? "" : "\n"
  const added = `${gap}${note}\n`
  const longer = order && streamOrder([...streamRuns(order), { stream: "stderr", length: added.length }])
  return { ...outcome, stderr: { ...stderr, text: stderr.text + added }, ...(longer && { order: longer }) }
}

/** What the interpreters of a session are made from. */
interface ReplOptions extends Workplace {
  readonly sandboxes: CommandSandboxes
  /** Where interpreters are found; the search path of this process by default. */
  readonly path?: string
}

// Whatever the call itself may do: an interpreter serves later calls too, so it only ever looks.
const asked = { profile: "read-only", hosts: [], approved: [], unconfined: false } as const

/** Starts an interpreter of a language. */
async function startInterpreter(
  options: ReplOptions,
  call: SandboxedCall,
  language: ReplRequest["language"],
): Promise<Interpreter> {
  const driver = drivers[language]
  const program = await createProgramFinder(options)(driver.programs, asked)
  if (program === undefined) {
    throw new ToolError("not_configured", `Cannot evaluate ${language}: no ${driver.programs.join(" or ")} was found`, {
      fix: `Install ${driver.programs[0]} and make sure that it is on the search path`,
    })
  }
  const tag = nextProcessTag()
  const sandbox = await options.sandboxes.prepare({
    sandbox: asked,
    directory: options.directory,
    environment: { ...quietEnvironment, [tagName]: tag },
    denies: (kind, path) => call.grant.denies(kind, path),
    rulesKey: call.grant.rulesKey,
    lasting: true,
    signal: call.signal,
  })
  return Interpreter.start({ sandbox, asked, grant: call.grant, tag, driver, program })
}
