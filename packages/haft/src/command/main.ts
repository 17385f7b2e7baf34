import { bestEffort, ToolError } from "@haft/contract"
import { visible } from "@haft/guard"
import { sayIn } from "@haft/language"
import { languageBefore, languageOf } from "../language/language-of.js"
import { type Manner, styleFor } from "../terminal/style.js"
import { exitCodeOf, exitCodes } from "./exit-code.js"
import { type Invocation, parseInvocation, wantsJson } from "./invocation.js"
import { type Io, processIo } from "./io.js"

/** Runs one command line and resolves to its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  let invocation: Invocation | undefined
  try {
    const understood = parseInvocation(argv)
    const configured = bestEffort("the command says what is wrong with its folder", languageOf(understood, io))
    const language = (await configured) ?? languageBefore(argv, io.env)
    invocation = { ...understood, language, say: await sayIn(language) }
    const { run } = await invocation.command.load!()
    return await run(invocation, io)
  } catch (error) {
    const manner = invocation ?? { say: await sayIn(languageBefore(argv, io.env)) }
    return reportFailure(error, io, { ...manner, json: wantsJson(argv) })
  }
}

function reportFailure(error: unknown, io: Io, { json, ...manner }: Manner & { readonly json: boolean }): number {
  const failure = ToolError.is(error) ? error : io.signal?.aborted ? interrupted() : defect(error, io)
  const { code, message } = failure
  // A person reads this: what only a person can do comes first.
  const hint = failure.fix ?? failure.hint
  if (json) io.stdout.write(`${JSON.stringify(failureDocument({ code, message, hint }))}\n`)
  else {
    const { say, red } = styleFor(io.stderr, io.env, manner)
    io.stderr.write(`${red(say`error:`)} ${visible(say(message))}\n`)
    if (hint) io.stderr.write(`  ${visible(say(hint))}\n`)
  }
  return io.signal?.aborted ? exitCodes.interrupted : exitCodeOf(code, failure.details)
}

/** A failure has one shape, that of a call's envelope, so that a program reads every failure in one way. */
function failureDocument({ code, message, hint }: Pick<ToolError, "code" | "message" | "hint">) {
  return { type: "error", error_text: message, metadata: { error_code: code, ...(hint ? { hint } : {}) } }
}

function interrupted(): ToolError {
  return new ToolError("cancelled", "Cannot go on: it was interrupted")
}

function defect(error: unknown, io: Io): ToolError {
  const trace = error instanceof Error ? error.stack : String(error)
  // Developers need the trace; everybody else reads the sentence.
  if (io.env.HAFT_DEBUG) io.stderr.write(`${trace}\n`)
  const message = error instanceof Error ? error.message : String(error)
  return new ToolError("internal", `Cannot finish: ${message}`, {
    hint: "This is a defect of Haft; HAFT_DEBUG=1 shows where",
  })
}
