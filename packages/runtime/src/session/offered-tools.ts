import type { AnyManifest, ToolDefinition, ToolIndex } from "@haft/contract"
import type { Registry } from "../registry/create-registry.js"
import { createToolIndex } from "../tool-index/index.js"

// More definitions than this cost more than they help: foreign ones are then found with tool_search.
const fewTools = 20

/** The tools of a session that a model is given; the others are found by a search, and given from then on. */
export class OfferedTools {
  readonly index: ToolIndex
  private readonly activated = new Set<string>()
  private lastDeferred: { of?: readonly ToolDefinition[]; activated: number; list: readonly ToolDefinition[] } = {
    activated: 0,
    list: [],
  }
  private readonly registry: Registry
  private readonly known: readonly string[]

  constructor(registry: Registry, known: readonly string[] = []) {
    this.registry = registry
    this.known = known
    this.index = createToolIndex(
      () => this.deferred(),
      (ids) => {
        for (const id of ids) this.activated.add(id)
      },
      () => registry.tools,
    )
  }

  /** The tools that a model is given: all of them, but of many foreign ones only those that a search brought up. */
  list(): readonly ToolDefinition[] {
    const { tools } = this.registry
    return tools.length <= fewTools ? tools : tools.filter(({ manifest }) => this.isGiven(manifest))
  }

  /** Whether the caller has the tool of this id. */
  has(id: string): boolean {
    if (this.known.includes(id)) return true
    const tool = this.registry.find(id)
    return tool !== undefined && (this.registry.tools.length <= fewTools || this.isGiven(tool.manifest))
  }

  /** The tools that only a search brings up; the same list as long as nothing changed. */
  private deferred(): readonly ToolDefinition[] {
    const { tools } = this.registry
    const { of, activated, list } = this.lastDeferred
    if (of === tools && activated === this.activated.size) return list
    const given = new Set(this.list())
    this.lastDeferred = { of: tools, activated: this.activated.size, list: tools.filter((tool) => !given.has(tool)) }
    return this.lastDeferred.list
  }

  private isGiven({ id, foreign }: AnyManifest): boolean {
    return !foreign || this.activated.has(id)
  }
}
