import type { AnyManifest, CallRecord, ToolDefinition, ToolIndex } from "@haft/contract"
import type { Registry } from "../registry/create-registry.js"
import { createToolIndex, parseQuery } from "../tool-index/index.js"

// More definitions than this cost more than they help: foreign ones are then found with tool_search.
const fewTools = 20

/** The tools of a session that a model is given; the others are found by a search, and given from then on. */
export class OfferedTools {
  readonly index: ToolIndex
  private readonly activated = new Set<string>()
  private last: Split = { activated: 0, given: [], deferred: [] }
  private readonly registry: Registry
  private readonly known: readonly string[]

  constructor(registry: Registry, known: readonly string[] = []) {
    this.registry = registry
    this.known = known
    this.index = createToolIndex(
      () => this.split().deferred,
      (ids) => {
        for (const id of ids) this.activated.add(id)
      },
      () => registry.tools,
    )
  }

  /**
   * The tools that a model is given: all of them, but of many foreign ones only those that a search brought up. The same list as
   * long as nothing changed.
   */
  list(): readonly ToolDefinition[] {
    return this.split().given
  }

  /** Whether the caller has the tool of this id. */
  has(id: string): boolean {
    if (this.known.includes(id)) return true
    const tool = this.registry.find(id)
    return tool !== undefined && (this.registry.tools.length <= fewTools || this.isGiven(tool.manifest))
  }

  /** Gives again what searches brought up in an earlier process. */
  recall(calls: Iterable<CallRecord>): void {
    for (const { tool, arguments: asked, envelope } of calls) {
      if (tool !== "tool_search" || envelope?.type !== "output") continue
      const { query } = asked as { readonly query: string }
      // A list of everything brought nothing up.
      if (parseQuery(query).kind === "all") continue
      const { matches } = envelope.data as { readonly matches: readonly { readonly id: string }[] }
      for (const { id } of matches) this.activated.add(id)
    }
  }

  private split(): Split {
    const { tools } = this.registry
    const activated = this.activated.size
    if (this.last.of === tools && this.last.activated === activated) return this.last
    const isGiven = ({ manifest }: ToolDefinition) => tools.length <= fewTools || this.isGiven(manifest)
    const given = tools.length <= fewTools ? tools : tools.filter(isGiven)
    this.last = { of: tools, activated, given, deferred: tools.filter((tool) => !isGiven(tool)) }
    return this.last
  }

  private isGiven({ id, foreign }: AnyManifest): boolean {
    return !foreign || this.activated.has(id)
  }
}

/** The tools of a registry in two lists: those that a model is given, and those that only a search brings up. */
interface Split {
  readonly of?: readonly ToolDefinition[]
  readonly activated: number
  readonly given: readonly ToolDefinition[]
  readonly deferred: readonly ToolDefinition[]
}
