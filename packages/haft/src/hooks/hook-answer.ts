import type { CommandOutcome } from "@haft/contract"
import { visible } from "@haft/guard"
import { isPlainObject } from "../config/setting-value.js"

/** What a hook says. Whatever cannot be understood has failed. */
export interface HookAnswer {
  readonly verdict: "pass" | "ask" | "deny" | "failed"
  /** Why it refuses, asks or failed. */
  readonly reason: string
  readonly input?: Readonly<Record<string, unknown>>
  /** Words for the result of the call. */
  readonly note?: string
}

/** Reads exit code and output: 0 goes on, 2 refuses, anything else failed; a JSON object on stdout says more. */
export function answerOf(outcome: Pick<CommandOutcome, "exitCode" | "timedOut" | "stdout" | "stderr">): HookAnswer {
  const { exitCode, timedOut, stdout, stderr } = outcome
  if (timedOut) return failure("it gave no answer in time")
  const said = stdout.text.trim()
  if (exitCode === 2)
    return { verdict: "deny", reason: shortened(reasonIn(said) || stderr.text || "it does not say why") }
  if (exitCode !== 0) {
    const end = exitCode === null ? "it was killed" : `it ended with code ${exitCode}`
    const words = shortened(stderr.text || said)
    return failure(words === "" ? end : `${end} ("${words}")`)
  }
  if (said === "") return { verdict: "pass", reason: "" }
  if (!said.startsWith("{")) return { verdict: "pass", reason: "", note: shortened(said) }
  if (stdout.truncated) return failure("its answer is too long")
  const answer = parsed(said)
  return answer === undefined ? failure("its answer is no JSON") : readAnswer(answer)
}

/** An allow of a hook is no opinion: nothing here can widen. */
function readAnswer(answer: Readonly<Record<string, unknown>>): HookAnswer {
  const { continue: goesOn = true, decision, systemMessage, hookSpecificOutput: specific = {} } = answer
  if (!isPlainObject(specific)) return failure('"hookSpecificOutput" of its answer is no object')
  const { permissionDecision, updatedInput, additionalContext } = specific
  if (typeof goesOn !== "boolean") return failure('"continue" of its answer is neither true nor false')
  const decisions = [decision, permissionDecision].filter((each) => each !== undefined)
  const unknown = decisions.find((each) => !Object.hasOwn(meanings, String(each)))
  if (unknown !== undefined) return failure(`its decision ${JSON.stringify(unknown)} is not known`)
  if (updatedInput !== undefined && !isPlainObject(updatedInput)) return failure('its "updatedInput" is no object')
  const verdicts = decisions.map((each) => meanings[String(each) as keyof typeof meanings])
  const verdict = !goesOn || verdicts.includes("deny") ? "deny" : verdicts.includes("ask") ? "ask" : "pass"
  const note = [systemMessage, additionalContext].filter((each) => typeof each === "string" && each !== "").join("\n")
  return {
    verdict,
    reason: shortened(reasonOf(answer) || (verdict === "pass" ? "" : note || "it does not say why")),
    ...(updatedInput !== undefined && { input: updatedInput }),
    ...(note !== "" && { note: shortened(note) }),
  }
}

const meanings = { allow: "pass", approve: "pass", ask: "ask", deny: "deny", block: "deny" } as const

function reasonIn(said: string): string {
  const answer = said.startsWith("{") ? parsed(said) : undefined
  return answer ? reasonOf(answer) : said
}

function reasonOf({ reason, stopReason, hookSpecificOutput }: Readonly<Record<string, unknown>>): string {
  const specific = isPlainObject(hookSpecificOutput) ? hookSpecificOutput.permissionDecisionReason : undefined
  return [specific, reason, stopReason].find((each): each is string => typeof each === "string" && each !== "") ?? ""
}

function parsed(said: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(said)
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function failure(reason: string): HookAnswer {
  return { verdict: "failed", reason }
}

// A hook speaks in a sentence or two; more would bury the result of the call.
const maxWords = 2000

function shortened(text: string): string {
  const words = visible(text.trim())
  return words.length > maxWords ? `${words.slice(0, maxWords)}…`.toWellFormed() : words
}
