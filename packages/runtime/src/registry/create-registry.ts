import {
  type AnyManifest,
  capabilityNames,
  type Execute,
  nearestNames,
  type RequirementSet,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import { decodeWireName, type WireNames, wireNames } from "../definition/wire-name.js"

/** The tools of a session, found by any name they go by. */
export interface Registry {
  /** The same list as long as no owner replaced its tools. */
  readonly tools: readonly ToolDefinition[]
  /** By canonical id, fully-qualified id, wire name or former id. */
  find(name: string): ToolDefinition | undefined
  near(name: string): readonly string[]
  /** The work of a tool; loaded at the first call. */
  load(tool: ToolDefinition): Execute<AnyManifest> | Promise<Execute<AnyManifest>>
  /** Puts these tools into the place of all that the owner had; a list that cannot be used leaves the former one. */
  replace(owner: string, tools: readonly ToolDefinition[]): void
}

/** Puts tools together; refuses at start-up what could surprise later. */
export function createRegistry(tools: readonly ToolDefinition[]): Registry {
  return new ToolRegistry(tools)
}

class ToolRegistry implements Registry {
  private readonly own: readonly ToolDefinition[]
  private readonly owners = new Map<string, readonly ToolDefinition[]>()
  private list: readonly ToolDefinition[]
  private byName: ReadonlyMap<string, ToolDefinition>
  /** Made when a name is not found without it: most are. */
  private sent: WireNames | undefined
  private readonly loaded = new WeakMap<ToolDefinition, Execute<AnyManifest>>()

  constructor(tools: readonly ToolDefinition[]) {
    this.own = tools
    this.list = tools
    this.byName = namesOf(tools)
  }

  get tools(): readonly ToolDefinition[] {
    return this.list
  }

  find(name: string): ToolDefinition | undefined {
    return this.byName.get(name) ?? this.byName.get(this.decoded(name))
  }

  near(name: string): readonly string[] {
    return nearestNames(bareName(name), this.byName.keys())
  }

  load(tool: ToolDefinition): Execute<AnyManifest> | Promise<Execute<AnyManifest>> {
    return this.loaded.get(tool) ?? this.loadExecute(tool)
  }

  replace(owner: string, tools: readonly ToolDefinition[]): void {
    const others = [...this.owners].flatMap(([name, theirs]) => (name === owner ? [] : theirs))
    const list = [...this.own, ...others, ...tools]
    this.byName = namesOf(list)
    this.owners.set(owner, tools)
    this.list = list
    this.sent = undefined
  }

  private decoded(name: string): string {
    this.sent ??= wireNames(this.byName.keys())
    return this.sent.decode(name) ?? bareName(name)
  }

  private async loadExecute(tool: ToolDefinition): Promise<Execute<AnyManifest>> {
    const { execute } = await tool.execute()
    this.loaded.set(tool, execute)
    return execute
  }
}

function namesOf(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  const byName = new Map<string, ToolDefinition>()
  for (const tool of tools) {
    checkDefinition(tool)
    checkManifest(tool.manifest)
    for (const name of [tool.manifest.id, ...(tool.manifest.formerIds ?? [])]) {
      const taken = byName.get(name)
      if (taken) throw refused(tool.manifest.id, `the id "${name}" is already taken by "${taken.manifest.title}"`)
      byName.set(name, tool)
    }
  }
  return byName
}

function bareName(name: string): string {
  const decoded = decodeWireName(name)
  return decoded.startsWith("builtin:") ? decoded.slice("builtin:".length) : decoded
}

/** What a definition must have; a missing part would otherwise show in the middle of a call. */
const parts = {
  manifest: ["object"],
  messages: ["object"],
  present: ["function"],
  execute: ["function"],
  examples: ["function"],
} as const satisfies Readonly<Record<string, readonly string[]>>

function checkDefinition(tool: ToolDefinition): void {
  const id = tool?.manifest?.id ?? ""
  for (const [part, types] of Object.entries(parts)) {
    const value: unknown = tool?.[part as keyof ToolDefinition]
    if (!(types as readonly string[]).includes(typeof value) || value === null)
      throw refused(id, `its "${part}" is missing; make it with tool() or defineTool()`)
  }
  const { limit, timeoutMs, effects } = tool.manifest as Partial<AnyManifest>
  if (typeof limit?.max !== "number") throw refused(id, 'its manifest has no "limit"; make it with defineManifest()')
  if (!(Number(timeoutMs) > 0)) throw refused(id, 'its manifest has no "timeoutMs"; make it with defineManifest()')
  if (typeof effects !== "function") throw refused(id, 'its manifest has no "effects"; make it with defineManifest()')
}

function checkManifest(manifest: AnyManifest): void {
  if (!manifest.id) throw refused(manifest.id ?? "", "its id is empty")
  if (manifest.id.includes(":")) throw refused(manifest.id, 'an id may not contain ":"')
  if (manifest.input?.def?.type !== "object") throw refused(manifest.id, "its input schema is not an object schema")
  if (manifest.requires === undefined)
    throw refused(manifest.id, "it does not say what it requires; write {} for nothing")
  const unknown = (manifest.requires as RequirementSet).capabilities?.find((name) => !capabilityNames.includes(name))
  if (unknown !== undefined) {
    const known = capabilityNames.join(", ")
    throw refused(manifest.id, `it requires the capability "${unknown}", which does not exist; there are ${known}`)
  }
}

function refused(id: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot register tool "${id}": ${reason}`)
}
