import {
  type AnyDialectTool,
  type AnyManifest,
  type Dialect,
  nearestNames,
  type Speech,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import type { CallRequest } from "../call/call-request.js"
import { encodeWireName, wireNames } from "../definition/wire-name.js"
import type { Registry } from "../registry/create-registry.js"
import type { CallSession } from "../session/call-session.js"

/** The row of a dialect that goes by this name, as that system spells it or as its models see it. */
export function findRow(dialect: Dialect, name: string): AnyDialectTool | undefined {
  const { tools, wireName } = dialect
  const row = tools.find((each) => each.name === name || each.aliases?.includes(name) || wireName?.(each.name) === name)
  if (row) return row
  // Names that providers would refuse are sent in another form; most calls are found before this map is made.
  const sent = wireNames(tools.map((each) => namedBy(dialect, each))).decode(name)
  return sent === undefined ? undefined : tools.find((each) => namedBy(dialect, each) === sent)
}

/** The name of a row as models of that system see it. */
function offeredName(dialect: Dialect, row: AnyDialectTool): string {
  return encodeWireName(namedBy(dialect, row))
}

function namedBy({ wireName }: Dialect, { name }: AnyDialectTool): string {
  return wireName?.(name) ?? name
}

/** The same; an unknown name is an error that names the nearest ones, also of tools that have no row. */
export function rowNamed(dialect: Dialect, name: string, others: readonly string[] = []): AnyDialectTool {
  const row = findRow(dialect, name)
  if (row) return row
  const near = nearestNames(name, [...dialect.tools.map((each) => offeredName(dialect, each)), ...others])
  throw new ToolError("not_found", `Cannot call "${name}": ${dialect.name} has no tool of that name`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}?`
        : "Call one of the tools that you were given",
    ...(near.length > 0 ? {} : { fix: `See the list with: haft tools --dialect ${dialect.name}` }),
    details: { unknown_tool: name, near },
  })
}

/** Whether a host, a skill, a server or an extension brings it: no dialect has words for it, and it goes by its own in each. */
export function isBrought({ toolset }: AnyManifest): boolean {
  return toolset === undefined
}

/** The ids of the tools that may do the work of a row. */
export function idsOf({ tool, choices = [] }: AnyDialectTool): readonly string[] {
  return typeof tool === "string" ? [tool] : choices
}

/** The tool of this id, where the session or the dialect has it. */
export function toolOf(id: string, dialect: Dialect | undefined, registry: Registry): ToolDefinition | undefined {
  return registry.find(id) ?? dialect?.workers?.find(({ manifest }) => manifest.id === id)
}

/** The tools that may do the work of a call by this name. */
export function toolsFor(
  name: string,
  { registry }: Pick<CallSession, "registry">,
  dialect: Dialect | undefined,
): readonly ToolDefinition[] {
  const row = dialect && findRow(dialect, name)
  return (row ? idsOf(row) : [name]).flatMap((id) => toolOf(id, dialect, registry) ?? [])
}

/** The names under which the caller knows tools and arguments: those of its dialect, else the tools of the session. */
export function speechOf({ name, dialect }: Pick<CallRequest, "name" | "dialect">, session: CallSession): Speech {
  const row = dialect && typeof name === "string" ? findRow(dialect, name) : undefined
  const called = row === undefined && typeof name === "string" ? session.registry.find(name) : undefined
  const shape: object = called?.manifest.input.shape ?? {}
  return {
    tool: (id) => {
      const found = dialect && rowThatDoes(id, dialect, session.registry)
      if (found) return offeredName(dialect, found)
      return session.offer.has(id) && isSpoken(id, dialect, session.registry) ? id : undefined
    },
    key: (key) => (row ? keyIn(row, key) : Object.hasOwn(shape, key) ? key : undefined),
  }
}

/** Whether a caller may say the id itself. */
function isSpoken(id: string, dialect: Dialect | undefined, registry: Registry): boolean {
  const tool = registry.find(id)
  return !dialect || (tool !== undefined && isBrought(tool.manifest))
}

/** The row behind which this tool works, or one that does the same under another shape. */
function rowThatDoes(id: string, dialect: Dialect, registry: Registry): AnyDialectTool | undefined {
  const resembles = (other: string) => toolOf(other, dialect, registry)?.manifest.judgedLike === id
  return dialect.tools.find((row) => idsOf(row).includes(id)) ?? dialect.tools.find((row) => idsOf(row).some(resembles))
}

function keyIn({ keys, input }: AnyDialectTool, key: string): string | undefined {
  return keys?.[key] ?? (Object.hasOwn(input.shape, key) ? key : undefined)
}
