import {
  type CapturedStream,
  type Repl,
  type ReplOutcome,
  type ReplRequest,
  ToolError,
  type WalledCall,
} from "@haft/contract"
import { findProgram } from "../commands/find-program.js"
import { quietEnvironment } from "../commands/quiet-environment.js"
import type { Workplace } from "../commands/working-directory.js"
import { markName, nextMark } from "../process/call-mark.js"
import { cancelled } from "../process/cancelled.js"
import type { Sandbox } from "../sandbox/sandbox.js"
import { type Driver, drivers } from "./driver/index.js"
import { type Answer, Interpreter } from "./interpreter.js"

/** What the interpreters of a session are made from. */
export interface ReplOptions extends Workplace {
  readonly sandbox: Pick<Sandbox, "prepare">
  /** Where interpreters are found; the search path of this process by default. */
  readonly path?: string
}

/** The interpreters of a session. */
export interface SessionRepl {
  repl(call: WalledCall): Repl
  /** Ends all interpreters. */
  close(): Promise<void>
}

type Language = ReplRequest["language"]

/** The interpreter port of a session: one a language, started at first use, kept until the session closes. */
export function createRepl(options: ReplOptions): SessionRepl {
  const kept = new Map<Language, Interpreter>()
  const lines = new Map<Language, Promise<unknown>>()
  const running = new Set<Interpreter>()
  let closed = false

  const interpreterFor = async (call: WalledCall, { language, fresh }: ReplRequest): Promise<Interpreter> => {
    const known = kept.get(language)
    if (known && !known.hasExited && !fresh) return known
    const started = await startInterpreter(options, call, language)
    running.add(started)
    started.over.then(() => running.delete(started))
    if (closed) {
      await started.end()
      throw new ToolError("unavailable", `Cannot evaluate ${language}: the session is closing`)
    }
    if (!fresh) kept.set(language, started)
    return started
  }
  const evaluate = async (call: WalledCall, request: ReplRequest): Promise<ReplOutcome> => {
    if (request.signal.aborted) throw cancelled(request.signal)
    const interpreter = await interpreterFor(call, request)
    try {
      return await evaluateIn(interpreter, request)
    } finally {
      if (request.fresh) await interpreter.end()
    }
  }

  return {
    repl: (call) => ({
      async evaluate(request) {
        if (request.code.includes("\0")) {
          const message = `Cannot evaluate ${request.language}: the code contains a NUL character; remove it`
          throw new ToolError("invalid_args", message)
        }
        if (request.fresh) return evaluate(call, request)
        // One piece at a time: they share their state.
        const turn = (lines.get(request.language) ?? Promise.resolve()).then(() => evaluate(call, request))
        lines.set(
          request.language,
          turn.catch(() => undefined),
        )
        return turn
      },
    }),
    async close() {
      closed = true
      await Promise.all([...running].map((interpreter) => interpreter.end()))
    },
  }
}

async function startInterpreter(options: ReplOptions, call: WalledCall, language: Language): Promise<Interpreter> {
  const driver = drivers[language]
  const program = await firstProgram(driver, options)
  if (program === undefined) {
    throw new ToolError("not_configured", `Cannot evaluate ${language}: no ${driver.programs.join(" or ")} was found`, {
      hint: `Install ${driver.programs[0]} and make sure that it is on the search path`,
    })
  }
  const mark = nextMark()
  const wall = await options.sandbox.prepare({
    // Whatever the call itself may do: an interpreter serves later calls too, so it only ever looks.
    wall: { profile: "look", hosts: [], approved: [], unconfined: false },
    directory: options.directory,
    environment: { ...quietEnvironment, [markName]: mark },
    denies: (kind, path) => call.grant.denies(kind, path),
    signal: call.signal,
  })
  return Interpreter.start({ wall, mark, driver, program })
}

async function firstProgram(driver: Driver, options: ReplOptions): Promise<string | undefined> {
  const path = options.path ?? process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"
  for (const program of driver.programs) {
    const found = await findProgram(program, { path, roots: options.roots })
    if (found !== undefined) return found
  }
  return undefined
}

async function evaluateIn(interpreter: Interpreter, request: ReplRequest): Promise<ReplOutcome> {
  const { code, keepBytes, timeoutMs, signal, language } = request
  const answer = interpreter.evaluate(code, keepBytes)
  const cut = await firstCut(answer, timeoutMs, signal)
  if (cut !== undefined) await interruptOrEnd(interpreter, answer, drivers[language].graceMs)
  const ended = await answer
  const { stdout, stderr } = interpreter.takeOutput()
  if (cut === "aborted") throw cancelled(signal)
  const note = "lost" in ended ? lostNote(language, cut === "late") : undefined
  return {
    stdout: stdout.finish(),
    stderr: withNote(stderr.finish(), note),
    exitCode: exitCodeOf(ended, drivers[language], cut !== undefined),
    timedOut: cut === "late",
    isolation: interpreter.isolation,
  }
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
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), graceMs)
  })
  const first = await Promise.race([answer, late])
  clearTimeout(timer)
  if (first === "late") await interpreter.end()
}

function exitCodeOf(answer: Answer, { exitCounts }: Driver, cut: boolean): number | null {
  if ("status" in answer) return answer.status
  return exitCounts && !cut ? answer.exitCode : null
}

function lostNote(language: Language, late: boolean): string {
  const why = late ? "did not stop in time and was ended" : "has ended"
  return `[The ${language} interpreter ${why}; its state is lost, and the next piece starts a new one]`
}

function withNote(stream: CapturedStream, note: string | undefined): CapturedStream {
  if (note === undefined) return stream
  const gap = stream.text === "" || stream.text.endsWith("\n") ? "" : "\n"
  return { ...stream, text: `${stream.text}${gap}${note}\n` }
}
