import type { AnyDialectTool, Dialect, Speech } from "@haft/contract"
import { findRow } from "../dialect/find-row.js"
import type { Registry } from "../registry/create-registry.js"
import type { CallSession } from "../session/call-session.js"
import type { CallRequest } from "./call-request.js"

/** The names under which the caller knows tools and arguments: those of its dialect, else the tools of the session. */
export function speechOf({ name, dialect }: Pick<CallRequest, "name" | "dialect">, session: CallSession): Speech {
  if (!dialect) {
    const shape: object = (typeof name === "string" && session.registry.find(name)?.manifest.input.shape) || {}
    return {
      tool: (id) => (session.offers(id) ? id : undefined),
      key: (key) => (Object.hasOwn(shape, key) ? key : undefined),
    }
  }
  const row = typeof name === "string" ? findRow(dialect, name) : undefined
  return {
    tool: (id) => {
      const found = rowThatDoes(id, dialect, session.registry)
      return found && (dialect.wireName?.(found.name) ?? found.name)
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
