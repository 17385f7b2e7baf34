import type { AnyManifest, CallRecord, Dialect, ToolDefinition, ToolIndex } from "@haft/contract"
import { toolOf } from "../dialect/find-row.js"
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
    return tool !== undefined && (this.areFew || this.isGiven(tool.manifest))
  }

  /** Gives again what searches brought up in an earlier process. A dialect may search with a tool of its own. */
  recall(calls: Iterable<CallRecord>, dialect?: Dialect): void {
    for (const { tool, arguments: asked, envelope } of calls) {
      const { finds, input, output } = toolOf(tool, dialect, this.registry)?.manifest ?? {}
      if (!finds || envelope?.type !== "output") continue
      // A journal that was imported may hold anything.
      const [given, found] = [input.safeParse(asked), output.safeParse(envelope.data)]
      if (!given.success || !found.success) continue
      const { query, ids } = finds(given.data, found.data)
      // A list of everything brought nothing up.
      if (parseQuery(query).kind !== "all") for (const id of ids) this.activated.add(id)
    }
  }

  /** Whether all are given: there are few, or none of them could find the others. */
  private get areFew(): boolean {
    const { tools } = this.registry
    return tools.length <= fewTools || !tools.some(({ manifest }) => manifest.finds)
  }

  private split(): Split {
    const { tools } = this.registry
    const activated = this.activated.size
    if (this.last.of === tools && this.last.activated === activated) return this.last
    const areFew = this.areFew
    const isGiven = ({ manifest }: ToolDefinition) => areFew || this.isGiven(manifest)
    const given = areFew ? tools : tools.filter(isGiven)
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
