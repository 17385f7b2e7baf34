import type { Dialect } from "@haft/contract"
import { jsonSchemaOf, type ToolOffer } from "../definition/definition.js"

/** The tools of a dialect as that system would offer them to a model. */
export function dialectOffers(dialect: Dialect): readonly ToolOffer[] {
  return dialect.tools.map((row) => {
    const input_schema = jsonSchemaOf(row.input, "input")
    const descriptor = dialect.descriptor?.(row, input_schema)
    return {
      id: row.name,
      wireName: dialect.wireName?.(row.name) ?? row.name,
      title: row.titles?.en ?? row.name,
      ...(row.titles === undefined ? {} : { titles: row.titles }),
      description: row.description,
      input_schema,
      readOnly: row.tier === "read-only",
      ...(descriptor === undefined ? {} : { descriptor }),
    }
  })
}
