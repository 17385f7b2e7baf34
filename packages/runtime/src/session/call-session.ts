import {
  type AnyManifest,
  type BoundRule,
  bestEffort,
  type EventBody,
  isSameRule,
  type Journal,
  type Mode,
  outdatedAnswers,
  type Person,
  type PlacedRule,
  type Rule,
  type SessionEvent,
  type SessionMemory,
  type SessionPorts,
  type ShellRequirement,
  type Subagents,
  type ToolDefinition,
} from "@haft/contract"
import {
  type AgentManifest,
  compileRequirements,
  compileRules,
  type Detector,
  modeRules,
  type RuleBook,
  type Scope,
  type Variables,
} from "@haft/guard"
import type { CallHooks } from "../call/call-hooks.js"
import { RunningCalls } from "../call/call-signal.js"
import { RecentCalls } from "../call/record.js"
import type { Registry } from "../registry/create-registry.js"
import { AskedBefore } from "./asked-before.js"
import { factsOf, type SessionFacts } from "./facts-of.js"
import { type FinalOutput, finalOutput } from "./final-output.js"
import { answers, boundTo, type Script, without } from "./kept-answers.js"
import { LateEffects } from "./late-effects.js"
import { OfferedTools } from "./offered-tools.js"
import { agentOf, type CallSessionOptions, noSubagents, specificCommands } from "./session-options.js"
import { TaintedTexts } from "./tainted-texts.js"
import { tellPorts } from "./tell-ports.js"

/** A conversation with a workspace: its rules, its grant and what it remembers. */
export class CallSession {
  readonly id: string
  readonly directory: string
  readonly registry: Registry
  readonly ports: SessionPorts
  readonly journal: Journal | undefined
  readonly person: Person | "headless"
  readonly variables: Variables
  readonly detectors: readonly Detector[]
  readonly memory: SessionMemory
  readonly hooks: CallHooks | undefined
  readonly now: () => number
  readonly newId: (prefix: "call" | "prt") => string
  readonly calls: RunningCalls
  readonly recent = new RecentCalls()
  readonly tainted = new TaintedTexts()
  readonly askedBefore = new AskedBefore()
  /** What processes do that outlive their calls. */
  readonly late = new LateEffects(this)
  /** The agent's manifest, with what its tools declare. */
  readonly agent: AgentManifest
  /** The commands that the agent declares; undefined where its manifest names none. */
  readonly agentShell: readonly ShellRequirement[] | undefined
  /** The host's grant, compiled for this session. */
  readonly granted: Scope
  readonly netGrants: readonly string[]
  readonly unconfined: readonly string[]
  readonly confines: boolean
  /** False for a session that ends with its one call. */
  readonly goesOn: boolean
  /** What rules must know about the world. */
  readonly facts: SessionFacts
  readonly finalOutput: FinalOutput | undefined
  /** The tools that a model is given, and the search for the others. */
  readonly offer: OfferedTools
  readonly subagents: Subagents
  private readonly options: CallSessionOptions
  private readonly scopes = new Map<AnyManifest, Scope>()
  private currentMode: Mode
  private sessionRules: readonly PlacedRule[]
  private projectRules: readonly PlacedRule[] = []
  private writtenRules: readonly PlacedRule[] = []
  private saving: Promise<unknown> = Promise.resolve()
  private book: RuleBook | undefined
  private sequence = 0
  private readonly listeners = new Set<(event: SessionEvent) => void>()
  /** Errors until somebody reads; undefined from then on. */
  private unheard: SessionEvent[] | undefined = []

  constructor(options: CallSessionOptions) {
    this.options = options
    this.id = options.id
    this.calls = new RunningCalls(options.id)
    this.directory = options.directory
    this.registry = options.registry
    this.ports = options.ports
    this.journal = options.journal
    this.person = options.person
    this.variables = options.variables
    this.detectors = options.detectors
    this.now = options.now
    this.newId = options.newId
    this.currentMode = options.mode
    this.sessionRules = options.sessionRules
    this.netGrants = options.netGrants
    this.unconfined = options.unconfined ?? []
    this.confines = options.confines
    this.goesOn = options.endsWithCall !== true
    this.facts = factsOf(options.ports, options.variables, () => this.rules())
    this.granted = compileRequirements(options.grant, options.variables)
    this.memory = options.memory(this)
    this.hooks = options.hooks?.(this)
    this.finalOutput = options.outputSchema && finalOutput(options.outputSchema)
    this.subagents = options.subagents ?? noSubagents
    this.offer = new OfferedTools(options.registry, options.known)
    // The same as when rules change: a process that may see what they deny is checked against them.
    options.ports.onMaskLost?.(() => void tellPorts(this))
    this.agent = agentOf(options)
    this.agentShell = options.requires.shell && specificCommands(this.agent.requires)
    // Compiled now, so that a mistake in a manifest or a rule stops the start and not a call.
    compileRequirements(this.agent.requires, options.variables)
    for (const tool of options.registry.tools) this.scopeOf(tool.manifest)
    this.rules()
  }

  /** Whether an answer can be kept for the project, beyond this session. */
  get keepsProjectRules(): boolean {
    return this.options.saveProjectRule !== undefined
  }

  get mode(): Mode {
    return this.currentMode
  }

  scopeOf(manifest: AnyManifest): Scope {
    const known = this.scopes.get(manifest)
    if (known) return known
    const scope = compileRequirements(manifest.requires, this.variables)
    this.scopes.set(manifest, scope)
    return scope
  }

  /** The rules of this moment. */
  rules(): RuleBook {
    this.book ??= compileRules(
      [
        ...this.options.rules,
        ...this.writtenRules,
        ...modeRules(this.currentMode),
        ...answers([...this.projectRules, ...this.sessionRules]),
      ],
      this.variables,
    )
    return this.book
  }

  limitOf(tool: ToolDefinition): number {
    return this.options.limits[tool.manifest.id] ?? tool.manifest.limit.max
  }

  setMode(mode: Mode): void {
    this.currentMode = mode
    this.book = undefined
    void tellPorts(this)
  }

  /** A rule that a person wrote into a file while the session is open: it holds from now on. */
  async addWrittenRule(rule: PlacedRule): Promise<void> {
    this.writtenRules = [...this.writtenRules, rule]
    this.book = undefined
    if (rule.action !== "allow") await tellPorts(this)
  }

  /** Takes effect at once and stays on the session's row. With a script it holds while that text is the same. */
  async addSessionRule(rule: Rule, script?: Script): Promise<void> {
    const placed: PlacedRule = { ...rule, source: { scope: "session" }, ...boundTo(script) }
    if (this.sessionRules.some((standing) => isSameRule(standing, placed))) return
    this.sessionRules = [...without(this.sessionRules, outdatedAnswers(this.sessionRules, placed)), placed]
    this.book = undefined
    if (rule.action !== "allow") await tellPorts(this)
    await this.journal?.savePermissions(this.id, this.sessionRules)
  }

  /** Takes effect at once and in every later session of this project; with a script as for a session. */
  async addProjectRule(rule: Rule, script?: Script): Promise<void> {
    if (!this.options.saveProjectRule) return this.addSessionRule(rule, script)
    // One after the other: two questions may be open at once, and both answers make the same rule.
    const saved = this.saving.then(() => this.saveProjectRule(rule, script))
    this.saving = bestEffort("the next rule is saved all the same; this failure is its own caller's", saved)
    return saved
  }

  private async saveProjectRule(rule: Rule, script: Script | undefined): Promise<void> {
    const kept: BoundRule = { ...rule, ...boundTo(script) }
    if (this.projectRules.some((standing) => isSameRule(standing, kept))) return
    // The host that keeps it may not know of scripts; the rule must not become wider by that.
    const saved = { ...(await this.options.saveProjectRule!(kept)), ...boundTo(script) }
    this.projectRules = [...without(this.projectRules, outdatedAnswers(this.projectRules, saved)), saved]
    this.book = undefined
    if (rule.action !== "allow") await tellPorts(this)
  }

  /** What persons saved in this session, for one that may not have more. */
  get savedRules(): readonly PlacedRule[] {
    return [...this.projectRules, ...this.sessionRules]
  }

  /** Passes on an event of a session that works for this one. */
  forward(event: SessionEvent): void {
    for (const listener of this.listeners) tell(listener, event)
  }

  /** Calls back with every event from now on; gives what ends that. */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** What went wrong before anybody could listen, for whoever reads first: why a server brings no tools, for instance. */
  takeUnheard(): readonly SessionEvent[] {
    const { unheard = [] } = this
    this.unheard = undefined
    return unheard
  }

  /**
   * Sends an event, which belongs to the session from here on and is completed in place: to spread it takes V8 three
   * microseconds, and a call sends three (row "1000 concurrent small reads").
   */
  emit(event: EventBody): void {
    this.sequence += 1
    const { onEvent } = this.options
    const unheard = event.type === "error" ? this.unheard : undefined
    if (onEvent === undefined && this.listeners.size === 0 && unheard === undefined) return
    const placed = event as EventBody & { session: string; seq: number; at: number }
    placed.session = this.id
    placed.seq = this.sequence
    placed.at = this.now()
    if (onEvent) tell(onEvent, placed)
    for (const listener of this.listeners) tell(listener, placed)
    if (unheard && unheard.length < mostUnheard) unheard.push(placed)
  }
}

// A session that nobody ever listens to keeps no more.
const mostUnheard = 100

function tell(listener: (event: SessionEvent) => void, event: SessionEvent): void {
  bestEffort("one that watches and fails must not disturb the work, or the others that watch", listener, event)
}
