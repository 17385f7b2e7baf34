import type { Dialect } from "@haft/contract"
import { jsonSchemaOf, type ToolOffer } from "../definition/definition.js"

/** The tools of a dialect as that system would offer them to a model. */
export function dialectOffers(dialect: Dialect): readonly ToolOffer[] {
  return dialect.tools.map((row) => ({
    id: row.name,
    wireName: dialect.wireName?.(row.name) ?? row.name,
    title: row.name,
    description: row.description,
    input_schema: jsonSchemaOf(row.input, "input"),
    readOnly: row.tier === "read-only",
  }))
}
