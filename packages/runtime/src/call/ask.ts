import {
  type AskAnswer,
  type AskPreview,
  type AskRequest,
  bestEffort,
  type Person,
  type Rule,
  type RuleProposal,
  ToolError,
} from "@haft/contract"
import type { CallSession } from "../session/call-session.js"
import type { Evaluated, EvaluateRequest } from "./ladder/evaluated.js"
import { otherScript } from "./other-script.js"
import { previewCall } from "./preview.js"
import { proposalFor } from "./proposal-for.js"

/** A call that waits for a person, with what the answer is bound to. */
export interface PendingAsk extends EvaluateRequest {
  readonly callId: string
  readonly signal: AbortSignal
}

/** What came of a question. */
export interface Asked {
  readonly answer: AskAnswer
  readonly by: "person" | "nobody"
  /** Throws `conflict` when something else is there than was shown: the answer was not about that. */
  assertUnchanged(): Promise<void>
}

/** Puts one question for the whole call to the person. A person who cannot be reached or understood rejects. */
export async function ask(pending: PendingAsk, evaluated: Evaluated, person: Person): Promise<Asked> {
  const { session, tool, input, callId } = pending
  const { preview, content } = await shownTo(pending, evaluated)
  const request = askRequest(pending, evaluated, preview)
  session.emit({ type: "ask", call: callId, request })
  const { answer, by } = await answerOf(person, request, pending.signal)
  session.emit({ type: "answer", call: callId, answer: answer.answer })
  session.askedBefore.add({ tool: tool.manifest.id, arguments: input, answer: answer.answer })
  return {
    answer,
    by,
    async assertUnchanged() {
      await sameContent(session, content)
      if (!evaluated.facts.isCurrent()) throw otherScript("while the question was open")
    },
  }
}

async function answerOf(
  person: Person,
  request: AskRequest,
  signal: AbortSignal,
): Promise<Pick<Asked, "answer" | "by">> {
  try {
    const given: unknown = await person.ask(request, signal)
    const answer = understood(given)
    if (answer) return { answer, by: "person" }
    return { answer: { answer: "reject", reason: "the answer could not be understood" }, by: "nobody" }
  } catch (error) {
    // A question that nobody waits for any more was not rejected by a person.
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { answer: { answer: "reject", reason: `the question could not be put to a person (${why})` }, by: "nobody" }
  }
}

/** An answer with exactly what belongs to it; pages and plain JavaScript send anything. */
function understood(given: unknown): AskAnswer | undefined {
  if (typeof given !== "object" || given === null) return undefined
  const { answer, rule, reason, arguments: edited } = given as Record<string, unknown>
  switch (answer) {
    case "once":
    case "accept-edits":
      return { answer }
    case "session":
    case "project":
      if (rule === undefined) return { answer }
      return isRule(rule) ? { answer, rule: bareRule(rule) } : undefined
    case "reject":
      return typeof reason === "string" && reason !== "" ? { answer, reason } : { answer }
    case "edit":
      return edited === undefined ? undefined : { answer, arguments: edited }
    default:
      return undefined
  }
}

function isRule(rule: unknown): rule is Rule {
  if (typeof rule !== "object" || rule === null) return false
  const { permission, pattern, action } = rule as Record<string, unknown>
  const isPattern = pattern === undefined || typeof pattern === "string"
  return typeof permission === "string" && isPattern && ["allow", "ask", "deny"].includes(action as string)
}

/** Without what only files of rules may say, such as an authority. */
function bareRule({ permission, pattern, action, why }: Rule): Rule {
  return {
    ...{ permission, action },
    ...(pattern === undefined ? {} : { pattern }),
    ...(typeof why === "string" ? { why } : {}),
  }
}

function askRequest(pending: PendingAsk, evaluated: Evaluated, preview: AskPreview | undefined): AskRequest {
  const { session, tool, input, callId } = pending
  const proposal = proposalFor(tool, evaluated)
  const askedBefore = session.askedBefore.latestAnswer(tool.manifest.id, input)
  return {
    sessionId: session.id,
    callId,
    tool: tool.manifest.id,
    title: tool.manifest.title,
    arguments: input,
    directory: session.directory,
    ladder: evaluated.ladder,
    offers: offersFor(pending, proposal),
    ...(proposal ? { proposal } : {}),
    ...(askedBefore ? { askedBefore } : {}),
    ...(preview ? { preview } : {}),
  }
}

/** What can be answered; what lasts comes after what does not. */
function offersFor({ session, tool, input }: PendingAsk, proposal: RuleProposal | undefined): AskRequest["offers"] {
  const canKeep = proposal !== undefined
  const acceptsEdits = canKeep && session.goesOn && tool.manifest.kind === "edit" && session.mode === "ask"
  return [
    "once",
    ...(acceptsEdits ? (["accept-edits"] as const) : []),
    ...(canKeep && session.goesOn ? (["session"] as const) : []),
    ...(canKeep && (session.keepsProjectRules || session.goesOn) ? (["project"] as const) : []),
    "reject",
    ...(Object.keys(input).length > 0 ? (["edit"] as const) : []),
  ]
}

/** What the person is shown, and the content of every file in it: the answer holds for that content only. */
async function shownTo(
  pending: PendingAsk,
  evaluated: Evaluated,
): Promise<{ readonly preview: AskPreview | undefined; readonly content: ReadonlyMap<string, string | null> }> {
  const content = new Map([
    ...(await writtenFiles(pending.session, evaluated)),
    ...(await hiddenScripts(pending.session, evaluated)),
  ])
  const { preview, seen } = await previewCall(pending, evaluated)
  for (const [path, state] of seen) {
    if (content.has(path) && content.get(path) !== state) throw changed(path)
    content.set(path, state)
  }
  return { preview, content }
}

async function writtenFiles({ ports }: CallSession, { parts }: Evaluated): Promise<Map<string, string | null>> {
  const content = new Map<string, string | null>()
  for (const effect of parts.flatMap((part) => part.effects)) {
    if (effect.kind === "fs.write" && (effect.at.kind === "file" || effect.at.kind === "missing"))
      content.set(effect.at.resolved, await ports.contentHash(effect.at.resolved))
  }
  return content
}

/** Scripts whose text cannot be shown are distinguished by their content all the same. */
async function hiddenScripts(
  { ports }: CallSession,
  { analysis, facts }: Evaluated,
): Promise<Map<string, string | null>> {
  const content = new Map<string, string | null>()
  for (const { script } of analysis?.parts ?? []) {
    if (script?.kind !== "file" || facts.sourceOf(script)?.complete) continue
    for (const path of [script.file, ...(script.others ?? [])]) {
      // What is no file has no content, and has a text once it is one.
      const hash = await bestEffort("what is no file has no content", ports.contentHash(path))
      if (hash !== undefined) content.set(path, hash)
    }
  }
  return content
}

async function sameContent({ ports }: CallSession, shown: ReadonlyMap<string, string | null>): Promise<void> {
  for (const [path, state] of shown) if ((await ports.contentHash(path)) !== state) throw changed(path)
}

function changed(path: string): ToolError {
  return new ToolError(
    "conflict",
    `Cannot use the answer for "${path}": the file changed while the question was open`,
    {
      hint: "Read the file again and repeat the call",
    },
  )
}
