/** The closed list of ways in which a call can fail. */
export const errorCodes = [
  "invalid_args",
  "not_found",
  "conflict",
  "denied",
  "too_large",
  "timeout",
  "cancelled",
  "unavailable",
  "unsupported",
  "rate_limited",
  "not_configured",
  "backend",
  "internal",
] as const

/** One of the closed list of failure codes. */
export type ErrorCode = (typeof errorCodes)[number]

/** What each code means to a caller; printed in the generated documentation. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid_args: "The arguments do not fit the tool; the message names the key and what was expected",
  not_found: "What the call names does not exist; near names are given where there are some",
  conflict: "The world is not as the call assumes: text not found, ambiguous, or changed since it was read",
  denied: "A capability, a rule, the watchdog or a person refused the call; the ladder says which",
  too_large: "The content exceeds a limit; the message names the limit and the way around it",
  timeout: "The deadline passed before the work was done",
  cancelled: "The caller aborted the call",
  unavailable: "Something that the call needs is not there now; trying later may help",
  unsupported: "The tool cannot do this with this kind of thing",
  rate_limited: "Too many calls in this time",
  not_configured: "The host lacks a setting or a program; the hint names it",
  backend: "A program or service below the tool failed",
  internal: "A defect of Haft or of the tool",
}

/**
 * A next step that names tools or arguments: `{tool:glob|ls}` means those of these tools that are offered, under their
 * names there, and `{key:offset}` for the argument that the caller knows it by. Left out unless each can be filled in; data
 * of a call belongs into plain strings, where nothing is filled in.
 */
export interface Step {
  readonly say: string
}

/** Next steps for a model: what it can do now, with the tools that it has. Each is a sentence without its stop. */
export type Hint = string | Step | readonly (string | Step)[]

/** More about a failure: the next step, data for programs, and what caused it. */
export interface ToolErrorOptions {
  /** For the model. */
  readonly hint?: Hint | undefined
  /** What a person at this machine can do, for instance a command; never shown to a model. */
  readonly fix?: string | undefined
  readonly details?: unknown
  readonly cause?: unknown
}

/** The names under which a caller knows tools and arguments; undefined for what it was not given. */
export interface Speech {
  tool(id: string): string | undefined
  key(name: string): string | undefined
}

// Every name as it is: for programs and people, who can look everything up.
const ownNames: Speech = { tool: (id) => id, key: (name) => name }

/** An expected failure with a code from the closed list and, where there is one, the next step. */
export class ToolError extends Error {
  readonly code: ErrorCode
  readonly steps: readonly (string | Step)[]
  readonly fix: string | undefined
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "ToolError"
    this.code = code
    this.steps = stepsOf(options.hint)
    this.fix = options.fix
    this.details = options.details
  }

  /** The next steps with every tool and argument under its own name. */
  get hint(): string | undefined {
    return this.hintFor(ownNames)
  }

  /** The next steps that a caller who knows these names can take; undefined when there is none. */
  hintFor(speech: Speech): string | undefined {
    return hintWords(this.steps, speech)
  }

  /** Recognises a ToolError also when it comes from a second copy of this package. */
  static is(value: unknown): value is ToolError {
    return value instanceof Error && value.name === "ToolError" && errorCodes.includes((value as ToolError).code)
  }
}

/** Next steps in words for a caller who knows these names, by default every one; undefined when none can be taken. */
export function hintWords(hint: Hint | undefined, speech: Speech = ownNames): string | undefined {
  const words = stepsOf(hint).flatMap((step) => (typeof step === "string" ? [step] : (filledIn(step, speech) ?? [])))
  return words.length === 0 ? undefined : words.join(". ")
}

function stepsOf(hint: Hint | undefined): readonly (string | Step)[] {
  if (hint === undefined) return []
  return typeof hint === "string" || "say" in hint ? [hint] : hint
}

function filledIn({ say }: Step, speech: Speech): string | undefined {
  let isComplete = true
  const words = say.replace(/\{(tool|key):([^}]+)\}/g, (_all, kind: "tool" | "key", names: string) => {
    const known = names.split("|").flatMap((name) => speech[kind](name) ?? [])
    isComplete &&= known.length > 0
    return [...new Set(known)].join(" or ")
  })
  return isComplete ? words : undefined
}
