import {
  type AnyManifest,
  type AskAnswer,
  type Hint,
  type Ladder,
  type RecordedAnswer,
  type Rule,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import { formatRule, whyNotSavable } from "@haft/guard"
import type { CallSession } from "../session/call-session.js"
import { ask, type PendingAsk } from "./ask.js"
import { HooksBefore, type HookVerdict } from "./call-hooks.js"
import { type CallRequest, hashOf, validate } from "./call-request.js"
import type { CallSignal } from "./call-signal.js"
import type { CallGrant } from "./context.js"
import { CallFacts } from "./ladder/call-facts.js"
import { evaluate } from "./ladder/evaluate.js"
import type { Evaluated } from "./ladder/evaluated.js"
import { grantFor } from "./ladder/grant.js"
import { proposalFor, scriptsFor } from "./proposal-for.js"
import type { CallDraft } from "./record.js"

/** A call that may run: the arguments that were judged and what they may do. */
export interface Authorized {
  readonly input: Readonly<Record<string, unknown>>
  readonly ladder: Ladder
  readonly grant: CallGrant
  /** What hooks say about the call. */
  readonly notes: readonly string[]
}

/** A call on its way to a verdict. */
export interface AuthorizeRequest {
  readonly tool: ToolDefinition
  /** The name by which it was called. */
  readonly name: string
  /** The validated arguments. */
  readonly input: Readonly<Record<string, unknown>>
  readonly request: CallRequest
  readonly session: CallSession
  readonly signal: CallSignal
  /** Gets every verdict, so that a refusal is recorded with its ladder, and every answer before it has any effect. */
  readonly draft: CallDraft
}

/** Evaluates the ladder until the call is allowed or refused; an answer re-enters with the rules of the moment it arrives. */
export async function authorize(call: AuthorizeRequest): Promise<Authorized> {
  const { tool, name, request, session, signal, draft } = call
  const { fromModel = false, principal } = request
  const person = request.person ?? session.person
  const world = new CallFacts(session)
  const hooks = hooksFor(call)
  let { input } = call
  let approved = request.answer === "once"
  let shown: Evaluated | undefined
  let answered: string | undefined
  for (;;) {
    const argumentsHash = hashOf(input)
    const evaluateRequest = {
      tool,
      input,
      session,
      person,
      world,
      approved,
      answered,
      argumentsHash,
      fromModel,
      principal,
      hooks: hooks?.judge.bind(hooks),
    }
    const evaluated = await evaluate(evaluateRequest)
    if (evaluated.changed) {
      input = changedInput(call, evaluated.changed)
      hooks!.settle(input, evaluated.changed)
      continue
    }
    if (shown !== undefined && placesOf(evaluated) !== placesOf(shown)) throw otherPlace()
    draft.judged(evaluated.ladder, input, argumentsHash)
    if (evaluated.ladder.verdict === "allow") {
      if (request.answer === "once" && isAnswered(evaluated)) draft.answered({ answer: "once", by: "caller" })
      const grant = grantFor(evaluateRequest, evaluated, shown?.facts)
      return { input, ladder: evaluated.ladder, grant, notes: hooks?.notes ?? [] }
    }
    if (evaluated.ladder.verdict === "deny" || person === "headless") throw refusal(call, evaluated)
    const pending = { ...evaluateRequest, callId: draft.callId, signal: signal.signal }
    const { answer, by, assertUnchanged } = await signal.wait(ask(pending, evaluated, person))
    const rule = ruleOf(answer, tool, evaluated)
    draft.answered(recorded(answer, by, rule))
    if (answer.answer === "reject") throw rejection(name, answer.reason, evaluated)
    if (answer.answer === "edit") {
      // Edited arguments are new arguments: they are validated and judged from the start.
      input = validate(tool.manifest, answer.arguments).input
      continue
    }
    await assertUnchanged()
    if (answer.answer === "accept-edits") session.setMode("accept-edits")
    else if (answer.answer !== "once" && rule) await saveRule(answer.answer, rule, evaluated, pending)
    approved = true
    answered = answerWords(answer.answer, rule)
    shown = evaluated
  }
}

function hooksFor({ tool: { manifest }, session, draft, signal }: AuthorizeRequest): HooksBefore | undefined {
  if (session.hooks === undefined || session.hooks.countBefore(manifest) === 0) return undefined
  return new HooksBefore(session.hooks, { callId: draft.callId, manifest, signal })
}

/** The arguments that a hook gave enter where those of a model do. */
function changedInput({ tool, name }: AuthorizeRequest, changed: HookVerdict): Readonly<Record<string, unknown>> {
  try {
    return validate(tool.manifest, changed.input).input
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ToolError("denied", `Cannot run "${name}": a hook changed the arguments, and they do not fit any more`, {
      hint: refused,
      fix: `Correct the hook: ${error.message}`,
    })
  }
}

function isAnswered({ ladder: { rungs } }: Evaluated): boolean {
  return rungs.at(-1)?.rung === "person"
}

/** What an answer keeps. A final ask has no rule that could settle it: the answer holds for this call alone. */
function ruleOf(answer: AskAnswer, tool: ToolDefinition, evaluated: Evaluated): Rule | undefined {
  if (answer.answer !== "session" && answer.answer !== "project") return undefined
  const proposal = proposalFor(tool, evaluated)
  return proposal && (answer.rule ?? proposal.rule)
}

function recorded(answer: AskAnswer, by: RecordedAnswer["by"], rule: Rule | undefined): Omit<RecordedAnswer, "at"> {
  const reason = answer.answer === "reject" ? answer.reason : undefined
  return {
    ...{ answer: answer.answer, by },
    ...(rule ? { rule: formatRule(rule) } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** How the ladder reports an answer that lets the call go on. */
function answerWords(answer: AskAnswer["answer"], rule: Rule | undefined): string {
  if (answer === "accept-edits") return "a person accepts edits in this session"
  if (!rule) return "a person answered this call"
  return `a person answered ${answer === "project" ? "for this project" : "for this session"}: ${rule.action} ${formatRule(rule)}`
}

/** What the verdict was about: a link that is swapped while a person thinks leads the same arguments elsewhere. */
function placesOf({ parts }: Evaluated): string {
  const places = parts.flatMap(({ effects }) =>
    effects.map((effect) => ("at" in effect ? [effect.kind, effect.at.resolved] : effect)),
  )
  return JSON.stringify(places)
}

function otherPlace(): ToolError {
  return new ToolError(
    "conflict",
    "Cannot use the answer: a path of the call leads elsewhere than when the question was put",
    { hint: "Repeat the call" },
  )
}

async function saveRule(
  scope: "session" | "project",
  rule: Rule,
  evaluated: Evaluated,
  { tool, session }: PendingAsk,
): Promise<void> {
  const proposal = proposalFor(tool, evaluated)!
  // The same check for every way to ask, such as a page or an editor.
  const why = rule.action === "allow" ? whyNotSavable(rule, proposal) : undefined
  if (why !== undefined) {
    throw new ToolError("denied", `Cannot save the rule ${formatRule(rule)}: ${why}`, {
      hint: `Answer with ${formatRule(proposal.rule)}, or for this call alone`,
    })
  }
  // An answer for `npm test` holds while the text that was shown is the same.
  const [script] = scriptsFor(rule, evaluated)
  if (scope === "project") await session.addProjectRule(rule, script)
  else await session.addSessionRule(rule, script)
}

const alone = "Do it in a way that needs no permission, or go on without it and say what you could not do"
const refused = "Go on without it, and look for no way around: what is refused here stays refused"

function refusal({ name, tool }: AuthorizeRequest, evaluated: Evaluated): ToolError {
  const { ladder, hint, fix, unsupported } = evaluated
  const isAlone = ladder.rungs.at(-1)?.rung === "person"
  const words = underItsName(ladder.reason, name, tool.manifest)
  const reason = isAlone ? `${words}, and nobody is here to ask` : words
  return new ToolError(unsupported ? "unsupported" : "denied", `Cannot run "${name}": ${reason}`, {
    hint: hint ?? (isAlone ? alone : refused),
    fix,
    details: decisionOf(evaluated),
  })
}

/** The reason with the tool under the name by which it was called: rules know it by its id. */
function underItsName(reason: string, name: string, { id, judgedLike = id }: AnyManifest): string {
  if (name === id) return reason
  return reason.replace(
    new RegExp(`(^|; |settles |denies |asks before )(?:${id}|${judgedLike})(?=[ (])`, "g"),
    `$1${name}`,
  )
}

function rejection(name: string, reason: string | undefined, evaluated: Evaluated): ToolError {
  const words = reason ? `a person rejected it: ${reason}` : "a person rejected it"
  const hint: Hint = reason
    ? "Do as they say"
    : ["Do not repeat it", { say: "Ask what they want instead with {tool:question}" }, "Otherwise go on another way"]
  return new ToolError("denied", `Cannot run "${name}": ${words}`, { hint, details: decisionOf(evaluated) })
}

/** What programs make their own next step from: the ladder, and the rule that would have allowed the call. */
function decisionOf({ ladder, judgement }: Evaluated): Readonly<Record<string, unknown>> {
  const { remedy } = ladder
  return {
    ladder,
    ...(judgement?.decided === undefined ? {} : { decided: judgement.decided.text }),
    ...(remedy === undefined
      ? {}
      : { permission: remedy.permission, pattern: remedy.pattern ?? null, rule: formatRule(remedy) }),
  }
}
