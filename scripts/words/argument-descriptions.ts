import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Words } from "./read-words.js"

const definitions = "packages/tools/src/generated/definitions.json"

/** What the arguments of the tools are: models read it, and so do people who fill in a form. */
export function argumentDescriptions(root: string): readonly Words[] {
  const tools = JSON.parse(readFileSync(join(root, definitions), "utf8")) as readonly { input_schema: object }[]
  const texts = new Set(tools.flatMap(({ input_schema }) => descriptionsOf(input_schema)))
  return [...texts].map((text) => ({ pattern: text.replace(/[{}]/g, "$&$&"), file: definitions, finished: true }))
}

function descriptionsOf(schema: object): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? descriptionsOf(value)
        : [],
  )
}
