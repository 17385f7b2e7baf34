import { type AnyDialectTool, type Dialect, nearestNames, ToolError } from "@haft/contract"

/** The row of a dialect that goes by this name, as that system spells it or as its models see it. */
export function findRow(dialect: Dialect, name: string): AnyDialectTool | undefined {
  return dialect.tools.find(
    (row) => row.name === name || row.aliases?.includes(name) || dialect.wireName?.(row.name) === name,
  )
}

/** The same; an unknown name is an error that names the nearest ones. */
export function rowNamed(dialect: Dialect, name: string): AnyDialectTool {
  const row = findRow(dialect, name)
  if (row) return row
  const near = nearestNames(
    name,
    dialect.tools.map((each) => dialect.wireName?.(each.name) ?? each.name),
  )
  throw new ToolError("invalid_args", `Cannot call "${name}": ${dialect.name} has no tool of that name`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}?`
        : "Call one of the tools that you were given",
    ...(near.length > 0 ? {} : { fix: `See the list with: haft tools --dialect ${dialect.name}` }),
    details: { unknown_tool: name, near },
  })
}
