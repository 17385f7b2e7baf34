import { type SettingType, settings } from "./setting.js"
import { storePattern } from "./setting-value.js"

/** JSON Schema (2020-12) of a configuration file, made from the table of settings. */
export function configSchema(): Readonly<Record<string, unknown>> {
  const root = group("Configuration of Haft (JSONC: comments and trailing commas are allowed)")
  root.properties.$schema = { type: "string" }
  root.properties.rules = { type: "array", description: "Who may do what", items: rule }
  for (const { key, about, type, initial } of settings) {
    const parts = key.split(".")
    const name = parts.pop()!
    const parent = parts.reduce(groupIn, root)
    const member = { description: about, ...schemaOf(type), ...(initial === undefined ? {} : { default: initial }) }
    if (name === "*") parent.additionalProperties = member
    else parent.properties[name] = member
  }
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Haft configuration", ...root }
}

interface Group {
  readonly type: "object"
  readonly description?: string
  readonly properties: Record<string, unknown>
  additionalProperties: unknown
}

function group(description?: string): Group {
  return { type: "object", ...(description ? { description } : {}), properties: {}, additionalProperties: false }
}

function groupIn(parent: Group, name: string): Group {
  parent.properties[name] ??= group()
  return parent.properties[name] as Group
}

function schemaOf(type: SettingType): Readonly<Record<string, unknown>> {
  const texts = { type: "array", items: { type: "string", minLength: 1 } }
  switch (type.kind) {
    case "choice":
      return { enum: type.choices }
    case "text":
      return { type: "string", minLength: 1 }
    case "store":
      return { type: "string", minLength: 1, pattern: storePattern }
    case "texts":
      return texts
    case "names":
      return {
        anyOf: [
          { type: "string", pattern: commaList(type.choices) },
          { type: "array", items: { enum: type.choices } },
        ],
      }
    case "count":
      return { type: "integer", minimum: 1 }
    case "switch":
      return { type: "boolean" }
    case "object":
      return { type: "object" }
    case "hooks":
      return { type: "array", items: { anyOf: [{ type: "string", minLength: 1 }, hook] } }
  }
}

const timeout = { type: "number", exclusiveMinimum: 0, description: "Seconds, at most 10" }
const command = { type: "string", minLength: 1, description: "A line for sh, in a read-only sandbox" }
const hook = {
  type: "object",
  properties: {
    matcher: { type: "string", description: "Tools that it looks at, as bash|write or mcp__*; all by default" },
    command,
    timeout,
    hooks: {
      type: "array",
      items: {
        type: "object",
        properties: { type: { const: "command" }, command, timeout },
        required: ["command"],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

function commaList(names: readonly string[]): string {
  const name = `\\s*(?:${names.join("|")})\\s*`
  return `^${name}(?:,${name})*$`
}

const samples = { type: "array", items: { type: "string" } }

const rule = {
  type: "object",
  properties: {
    permission: { type: "string", minLength: 1, description: "A tool id, a capability such as fs.write, or *" },
    pattern: { type: "string", minLength: 1, description: "What the rule is about; absent, * and ** mean everything" },
    action: { enum: ["allow", "deny", "ask"] },
    why: { type: "string", minLength: 1, description: "The reason, shown when the rule decides" },
    match: { ...samples, description: "Samples that the rule must match; checked by haft rule test" },
    no_match: { ...samples, description: "Samples that the rule must not match" },
    recipe: { type: "string", minLength: 1, description: "Digest of the text that a saved answer was given for" },
    shown: { type: "string", minLength: 1, description: "The beginning of that text" },
  },
  required: ["permission", "action"],
  additionalProperties: false,
}
