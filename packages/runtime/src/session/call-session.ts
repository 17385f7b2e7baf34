import {
  type AnyManifest,
  type BoundRule,
  type EventBody,
  isSameRule,
  type Journal,
  type Mode,
  outdatedAnswers,
  type Person,
  type PlacedRule,
  type RequirementSet,
  type Rule,
  type SessionEvent,
  type SessionMemory,
  type SessionPorts,
  type ShellRequirement,
  type ToolDefinition,
  type ToolIndex,
} from "@haft/contract"
import {
  type AgentManifest,
  compileRequirements,
  compileRules,
  type Detector,
  modeRules,
  type RuleBook,
  type Scope,
  unionRequirements,
  type Variables,
} from "@haft/guard"
import type { Registry } from "../registry/create-registry.js"
import { createToolIndex } from "../tool-index/index.js"
import { AskedBefore } from "./asked-before.js"
import { factsOf, type ScriptSource, type SessionFacts } from "./facts-of.js"
import { type FinalOutput, finalOutput } from "./final-output.js"
import { LateEffects } from "./late-effects.js"
import { RecentCalls, RunningCalls } from "./running-calls.js"
import { TaintedTexts } from "./tainted-texts.js"
import { tellPorts } from "./tell-ports.js"

/** What a session is made of; chosen by the composition root. */
export interface CallSessionOptions {
  readonly id: string
  readonly directory: string
  readonly registry: Registry
  readonly ports: SessionPorts
  readonly journal: Journal | undefined
  readonly person: Person | "headless"
  readonly mode: Mode
  readonly variables: Variables
  /** What the host allows at the most. */
  readonly grant: RequirementSet
  /** What the agent's own manifest asks for, besides its tools. */
  readonly requires: RequirementSet
  /** Every rule but those of this session. */
  readonly rules: readonly PlacedRule[]
  readonly sessionRules: readonly PlacedRule[]
  readonly detectors: readonly Detector[]
  /** Hosts that the session may reach besides public ones that rules allow. */
  readonly netGrants: readonly string[]
  /** Beginnings of commands that the user lets run outside the sandbox, each asked for every time. */
  readonly unconfined?: readonly string[]
  /** False when commands run without a sandbox: nothing is then allowed without being asked. */
  readonly confines: boolean
  /** True for a session that ends with its one call: answers for the session are not offered then. */
  readonly endsWithCall?: boolean
  /** Output limits by tool id that differ from the manifest. */
  readonly limits: Readonly<Record<string, number>>
  /** Ids of tools that whoever calls has besides, in other sessions: next steps may name them. */
  readonly known?: readonly string[]
  readonly memory: (session: CallSession) => SessionMemory
  /** JSON Schema (2020-12) of the final object that the host wants from a run. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly newId: (prefix: "call" | "prt") => string
  readonly now: () => number
  readonly onEvent: ((event: SessionEvent) => void) | undefined
  /** Keeps a rule for the whole project, outside the workspace. */
  readonly saveProjectRule: ((rule: BoundRule) => Promise<PlacedRule>) | undefined
}

/** The text that an answer is kept for. */
type Script = Pick<ScriptSource, "text" | "digest">

// More definitions than this cost more than they help: foreign ones are then found with tool_search.
const fewTools = 20

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
  /** Finds tools that are not in the prompt; what it finds is offered from then on. */
  readonly toolIndex: ToolIndex
  private readonly activated = new Set<string>()
  private lastDeferred: { of?: readonly ToolDefinition[]; activated: number; list: readonly ToolDefinition[] } = {
    activated: 0,
    list: [],
  }
  private readonly options: CallSessionOptions
  private readonly scopes = new Map<AnyManifest, Scope>()
  private currentMode: Mode
  private sessionRules: readonly PlacedRule[]
  private projectRules: readonly PlacedRule[] = []
  private saving: Promise<unknown> = Promise.resolve()
  private book: RuleBook | undefined
  private sequence = 0

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
    this.finalOutput = options.outputSchema && finalOutput(options.outputSchema)
    this.toolIndex = createToolIndex(
      () => this.deferred(),
      (ids) => {
        for (const id of ids) this.activated.add(id)
      },
      () => options.registry.tools,
    )
    // Told as when rules change: whoever may see what they deny is held against them.
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
      [...this.options.rules, ...modeRules(this.currentMode), ...answers([...this.projectRules, ...this.sessionRules])],
      this.variables,
    )
    return this.book
  }

  /** The tools that a model is given: all of them, but of many foreign ones only those that a search brought up. */
  offered(): readonly ToolDefinition[] {
    const { tools } = this.registry
    return tools.length <= fewTools ? tools : tools.filter(({ manifest: { id } }) => this.isGiven(id))
  }

  /** Whether whoever calls has the tool of this id. */
  offers(id: string): boolean {
    if (this.options.known?.includes(id)) return true
    return this.registry.find(id) !== undefined && (this.registry.tools.length <= fewTools || this.isGiven(id))
  }

  /** The tools that only a search brings up; the same list as long as nothing changed. */
  private deferred(): readonly ToolDefinition[] {
    const { tools } = this.registry
    const { of, activated, list } = this.lastDeferred
    if (of === tools && activated === this.activated.size) return list
    const given = new Set(this.offered())
    this.lastDeferred = { of: tools, activated: this.activated.size, list: tools.filter((tool) => !given.has(tool)) }
    return this.lastDeferred.list
  }

  private isGiven(id: string): boolean {
    const isForeign = id.startsWith("skill__") || id.includes(":")
    return !isForeign || this.activated.has(id)
  }

  limitOf(tool: ToolDefinition): number {
    return this.options.limits[tool.manifest.id] ?? tool.manifest.limit.max
  }

  setMode(mode: Mode): void {
    this.currentMode = mode
    this.book = undefined
    void tellPorts(this)
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
    this.saving = saved.catch(() => undefined)
    return saved
  }

  private async saveProjectRule(rule: Rule, script: Script | undefined): Promise<void> {
    const kept: BoundRule = { ...rule, ...boundTo(script) }
    if (this.projectRules.some((standing) => isSameRule(standing, kept))) return
    // Whoever keeps it may not know of scripts; the rule must not become wider by that.
    const saved = { ...(await this.options.saveProjectRule!(kept)), ...boundTo(script) }
    this.projectRules = [...without(this.projectRules, outdatedAnswers(this.projectRules, saved)), saved]
    this.book = undefined
    if (rule.action !== "allow") await tellPorts(this)
  }

  emit(event: EventBody): void {
    this.sequence += 1
    this.options.onEvent?.({ ...event, session: this.id, seq: this.sequence, at: this.now() })
  }
}

/** What the agent may need at the most: its manifest and all its tools together. */
function agentOf({ requires, registry, rules }: CallSessionOptions): AgentManifest {
  return {
    requires: unionRequirements([requires, ...registry.tools.map((tool) => tool.manifest.requires)]),
    rules: rules.filter(({ source }) => source.scope === "manifest"),
  }
}

/** A tool that runs any program leaves it to the agent which ones; a tool that names its own programs brings them. */
function specificCommands({ shell = [] }: RequirementSet): readonly ShellRequirement[] {
  return shell.filter(({ cmd }) => cmd !== "*")
}

/** Whatever a session keeps are answers, also those of a former version in its journal. */
function answers(rules: readonly PlacedRule[]): readonly PlacedRule[] {
  return rules.map((rule) => ({ ...rule, answer: true }))
}

// Enough of a script to tell what became of it.
const maxShown = 16_000

/** What ties a rule to the text of a script. */
function boundTo(script: Script | undefined): Pick<PlacedRule, "recipe" | "shown"> {
  if (script === undefined) return {}
  const { text, digest } = script
  return { recipe: digest, shown: text.length > maxShown ? `${text.slice(0, maxShown)}\n…` : text }
}

function without(rules: readonly PlacedRule[], gone: readonly PlacedRule[]): readonly PlacedRule[] {
  return rules.filter((rule) => !gone.includes(rule))
}
