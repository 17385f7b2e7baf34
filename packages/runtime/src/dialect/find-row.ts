import { type AnyDialectTool, type Dialect, nearestNames, type Speech, ToolError } from "@haft/contract"
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

/** The same; an unknown name is an error that names the nearest ones. */
export function rowNamed(dialect: Dialect, name: string): AnyDialectTool {
  const row = findRow(dialect, name)
  if (row) return row
  const near = nearestNames(
    name,
    dialect.tools.map((each) => offeredName(dialect, each)),
  )
  throw new ToolError("not_found", `Cannot call "${name}": ${dialect.name} has no tool of that name`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}?`
        : "Call one of the tools that you were given",
    ...(near.length > 0 ? {} : { fix: `See the list with: haft tools --dialect ${dialect.name}` }),
    details: { unknown_tool: name, near },
  })
}

/** The names under which the caller knows tools and arguments: those of its dialect, else the tools of the session. */
export function speechOf({ name, dialect }: Pick<CallRequest, "name" | "dialect">, session: CallSession): Speech {
  if (!dialect) {
    const shape: object = (typeof name === "string" && session.registry.find(name)?.manifest.input.shape) || {}
    return {
      tool: (id) => (session.offer.has(id) ? id : undefined),
      key: (key) => (Object.hasOwn(shape, key) ? key : undefined),
    }
  }
  const row = typeof name === "string" ? findRow(dialect, name) : undefined
  return {
    tool: (id) => {
      const found = rowThatDoes(id, dialect, session.registry)
      return found && offeredName(dialect, found)
    },
    key: (key) => (row === undefined ? undefined : keyIn(row, key)),
  }
}

/** The row behind which this tool works, or one that does the same under another shape. */
function rowThatDoes(id: string, { tools, workers = [] }: Dialect, registry: Registry): AnyDialectTool | undefined {
  const idsOf = ({ tool, choices = [] }: AnyDialectTool) => (typeof tool === "string" ? [tool] : choices)
  const resembles = (other: string) =>
    (registry.find(other) ?? workers.find(({ manifest }) => manifest.id === other))?.manifest.judgedLike === id
  return tools.find((row) => idsOf(row).includes(id)) ?? tools.find((row) => idsOf(row).some(resembles))
}

function keyIn({ keys, input }: AnyDialectTool, key: string): string | undefined {
  return keys?.[key] ?? (Object.hasOwn(input.shape, key) ? key : undefined)
}
