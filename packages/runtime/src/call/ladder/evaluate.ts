import {
  type CallPart,
  type Effect,
  isInside,
  type Judgement,
  type Ladder,
  type Rung,
  type RungName,
  type RungVerdict,
} from "@haft/contract"
import {
  answerFlag,
  applyMode,
  type CommandAnalysis,
  commandsOf,
  describeSource,
  flagFor,
  type JudgedOutsideWrite,
  judge,
  type ModeOutcome,
  outsideWrites,
  runWatchdog,
  type WatchdogRequest,
  type WatchdogVerdict,
} from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import { heldFacts } from "../../session/facts-of.js"
import type { HookVerdict } from "../call-hooks.js"
import { firmReasons, isOutside } from "./analyze-command.js"
import { checkScopes } from "./check-scopes.js"
import type { Evaluated, EvaluateRequest } from "./evaluated.js"
import { locateParts } from "./locate-parts.js"

/** Evaluates the ladder with the rules of this moment, rung by rung; nothing below a rung can loosen it. */
export async function evaluate(request: EvaluateRequest): Promise<Evaluated> {
  const { tool, input, session } = request
  const rungs = new RungList()
  rungs.add("schema", "pass", "the arguments fit")

  const { parts, analysis } = await locateParts(tool.manifest, input, session)
  const facts = heldFacts(session.facts, parts)
  const capability = checkScopes(request, {
    agentShell: session.agentShell,
    // What a command does to files and hosts is for the rules to judge and for the sandbox to hold.
    effects: analysis ? [] : scopedEffects(parts, session),
    commands: analysis ? commandsOf(analysis) : [],
  })
  rungs.add("capability", capability.verdict, capability.reason)
  if (capability.verdict === "deny") {
    const { reason, hint, fix } = capability
    return { ladder: rungs.end("deny", reason), parts, analysis, facts, judgement: undefined, hint, fix }
  }

  const judgement = judge(session.rules(), parts, facts)
  if (isDeniedByRules(judgement, rungs)) {
    const ladder = rungs.end("deny", judgement.reason, judgement)
    return { ladder: await withAnswer(ladder, request, analysis), parts, analysis, facts, judgement }
  }

  const watchdog = await runWatchdog(session.detectors, watched(request, analysis))
  rungs.add("watchdog", watchdog.verdict, watchdog.reason)
  if (!isObjection(watchdog)) {
    const { reason, hint, unsupported } = watchdog
    const ladder = rungs.end("deny", reason, withoutRemedy(judgement))
    return { ladder, parts, analysis, facts, judgement, hint, ...(unsupported && { unsupported }) }
  }

  const hooked = await request.hooks?.(input, request.argumentsHash)
  if (hooked) rungs.add("hooks", hooked.verdict, hooked.reason)
  if (hooked?.verdict === "deny" || hooked?.input) {
    const ladder = rungs.end(hooked.verdict === "deny" ? "deny" : "ask", hooked.reason, withoutRemedy(judgement))
    return { ladder, parts, analysis, facts, judgement, ...(hooked.verdict !== "deny" && { changed: hooked }) }
  }
  const objection = withHooks(watchdog, hooked)

  const mayWriteOutside = analysis !== undefined || parts.some((part) => part.effects.some(asksOutside))
  const writesOutside = mayWriteOutside && session.confines ? outsideWrites(parts, judgement, session.variables) : []
  const contained = writesOutside.length === 0 && isContained(parts, analysis, session)
  const mode = applyMode({ mode: session.mode, judgement, watchdog: objection.verdict, tool: tool.manifest, contained })
  const firm = analysis ? await firmReasons(request, analysis, mode.verdict) : []
  return conclude(request, { parts, analysis, facts, judgement, objection, writesOutside, mode, firm }, rungs)
}

/** Where a detector would still ask once the rules are passed, the rules alone do not allow the call. */
async function withAnswer(
  ladder: Ladder,
  request: EvaluateRequest,
  analysis: CommandAnalysis | undefined,
): Promise<Ladder> {
  if (ladder.flag === undefined) return ladder
  const { verdict } = await runWatchdog(request.session.detectors, watched(request, analysis))
  return verdict === "ask" ? { ...ladder, flag: `${ladder.flag} ${answerFlag}` } : ladder
}

/** What a person is asked about although no rule says so: hooks and detectors alike can ask, and neither can permit. */
function withHooks(watchdog: Objection, hooked: HookVerdict | undefined): Objection {
  if (hooked?.verdict !== "ask") return watchdog
  if (watchdog.verdict === "pass") return { verdict: "ask", reason: hooked.reason }
  return { ...watchdog, reason: `${watchdog.reason}; ${hooked.reason}` }
}

/** Adds the rungs of the manifest and of the rules; the first that denies is the last. */
function isDeniedByRules(judgement: Judgement, rungs: RungList): boolean {
  const { verdict, reason, decided } = judgement
  const byManifest = verdict === "deny" && decided?.rule.source.scope === "manifest"
  rungs.add("manifest", byManifest ? "deny" : "pass", byManifest ? reason : "no deny of the manifest", judgement)
  if (!byManifest) rungs.add("rules", verdict, reason, judgement)
  return verdict === "deny"
}

function watched(request: EvaluateRequest, analysis: CommandAnalysis | undefined): WatchdogRequest {
  const { tool, input, session, fromModel } = request
  return {
    tool: tool.manifest.id,
    arguments: input,
    manifest: tool.manifest,
    agent: session.agent,
    sessionId: session.id,
    argumentsHash: request.argumentsHash,
    home: session.variables.home,
    command: analysis,
    recent: fromModel ? session.recent.list() : [],
    tainted: fromModel ? session.tainted.list() : [],
  }
}

/** What the watchdog and the hooks say of a call that they do not refuse. */
type Objection = WatchdogVerdict & { readonly verdict: "pass" | "ask" }

function isObjection(watchdog: WatchdogVerdict): watchdog is Objection {
  return watchdog.verdict !== "deny"
}

/** A call that no rung below the mode denied. */
interface Judged extends Pick<Evaluated, "parts" | "analysis" | "facts"> {
  readonly judgement: Judgement
  readonly objection: Objection
  readonly writesOutside: readonly JudgedOutsideWrite[]
  readonly mode: ModeOutcome
  /** Why a person is asked about a command although rules allow it, where no rule settles that. */
  readonly firm: readonly string[]
}

/** The last rungs: the mode, and the person where somebody has to be asked. */
function conclude(request: EvaluateRequest, judged: Judged, rungs: RungList): Evaluated {
  const { person, approved, answered } = request
  const { parts, analysis, facts, judgement, objection, writesOutside, mode, firm } = judged
  // A write outside has its rule, the firm reasons have none.
  const open = approved ? [] : writesOutside.filter(({ allowed }) => !allowed)
  const openWords = open.length > 0 ? [outsideWords(open)] : []
  const forced = [...firm, ...openWords].join("; ") || undefined
  rungs.add("mode", forced === undefined ? mode.verdict : "ask", forced ?? mode.reason)
  if (mode.verdict !== "ask" && forced === undefined) {
    // A rule that the answer kept settles the call now: the ladder still says that a person was asked.
    if (mode.verdict === "allow" && answered !== undefined) rungs.add("person", "allow", answered)
    return { ladder: rungs.end(mode.verdict, mode.reason, judgement), parts, analysis, facts, judgement, writesOutside }
  }

  const isAlone = person === "headless"
  if (approved) rungs.add("person", "allow", answered ?? answeredInAdvance)
  else if (isAlone) rungs.add("person", "deny", "nobody is here to ask, so an ask is a deny")
  else rungs.add("person", "ask", "a person decides")
  const asked = objection.verdict === "ask" ? objection.reason : judgement.reason
  const reason = [...firm, asked, ...openWords].join("; ")
  // What the watchdog or a hook asks about is settled by no rule: none is named, and none is offered to the person.
  const isOffered = objection.verdict === "pass" && firm.length === 0
  const offered = isOffered ? withOutsideRemedy(judgement, open) : withoutRemedy(judgement)
  const ladder = rungs.end(approved ? "allow" : isAlone ? "deny" : "ask", reason, offered)
  return {
    ladder,
    parts,
    analysis,
    facts,
    judgement: offered,
    outside: isOutside(request, analysis),
    writesOutside,
    hint: objection.hint,
  }
}

/** The effects that must be in the scopes; what a command of the tool changes outside them is asked about instead. */
export function scopedEffects(parts: readonly CallPart[], session: CallSession): readonly Effect[] {
  const effects = parts.length === 1 ? parts[0]!.effects : parts.flatMap((part) => part.effects)
  // Without a sandbox nothing would hold the command, and mode plan changes nothing.
  if (!session.confines || session.mode === "plan" || !effects.some(asksOutside)) return effects
  const isInRoots = (path: string) => session.variables.workspace.some((root) => isInside(path, root))
  return effects.filter((effect) => !asksOutside(effect) || isInRoots(effect.at.resolved))
}

function asksOutside(effect: Effect): effect is Exclude<Effect, { kind: "net.fetch" }> {
  return effect.kind !== "net.fetch" && effect.outside === "asks"
}

const answeredInAdvance = "the caller answered in advance"
const maxNamed = 5

/** Says which files outside the workspace are asked about. */
function outsideWords(writes: readonly JudgedOutsideWrite[]): string {
  const named = writes.slice(0, maxNamed).map(({ path }) => `"${path}"`)
  const more = writes.length > maxNamed ? ` and ${writes.length - maxNamed} more` : ""
  return `it changes files outside the workspace: ${named.join(", ")}${more}`
}

/** A rule for a program does not settle what it changes outside; a rule for that one file does. */
function withOutsideRemedy(judgement: Judgement, open: readonly JudgedOutsideWrite[]): Judgement {
  const [first, second] = open
  if (!first || judgement.remedy?.permission.startsWith("fs.")) return judgement
  if (judgement.verdict !== "allow" || second) return withoutRemedy(judgement)
  return { ...judgement, remedy: { permission: first.kind, pattern: first.path, action: "allow" } }
}

function withoutRemedy({ remedy: _, remedies: __, ...judgement }: Judgement): Judgement {
  return judgement
}

/** Whether everything that can happen stays inside the roots, or inside the sandbox, and reaches no host. */
function isContained(parts: readonly CallPart[], analysis: CommandAnalysis | undefined, session: CallSession): boolean {
  if (parts.some((part) => part.effects.some((effect) => effect.kind === "net.fetch"))) return false
  return analysis ? session.confines : parts.every((part) => !part.opaque)
}

/** Collects rungs with the time that each took. */
class RungList {
  private readonly rungs: Rung[] = []
  private since = performance.now()

  add(rung: RungName, verdict: RungVerdict, reason: string, judgement?: Judgement): void {
    const now = performance.now()
    // Whole microseconds: the clock knows no more, and a record of the journal gets shorter.
    const ms = Math.round((now - this.since) * 1000) / 1000
    this.since = now
    const decided = verdict === "pass" ? undefined : judgement?.decided
    if (!decided) this.rungs.push({ rung, verdict, reason, ms })
    else this.rungs.push({ rung, verdict, reason, rule: decided.text, source: describeSource(decided.rule.source), ms })
  }

  end(verdict: Ladder["verdict"], reason: string, judgement?: Judgement): Ladder {
    const ladder = { verdict, reason, rungs: this.rungs, findings: judgement?.findings ?? [] }
    const { remedy, remedies = remedy ? [remedy] : [] } = judgement ?? {}
    if (remedies.length === 0) return ladder
    return { ...ladder, ...(remedy && { remedy }), flag: remedies.map(flagFor).join(" ") }
  }
}
