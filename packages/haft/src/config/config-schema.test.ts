import { describe, expect, test } from "vitest"
import { configSchema } from "./config-schema.js"
import { parseConfigFile } from "./parse-config-file.js"

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minLength?: number
  readonly pattern?: string
  readonly minimum?: number
}

/** The few keywords of JSON Schema that the file uses, so that the test needs no validator. */
function accepts(schema: Schema, value: unknown): boolean {
  if (schema.enum) return schema.enum.includes(value)
  if (schema.anyOf) return schema.anyOf.some((branch) => accepts(branch, value))
  switch (schema.type) {
    case "string":
      return typeof value === "string" && value.length >= (schema.minLength ?? 0) && fits(schema, value)
    case "integer":
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? Number.NEGATIVE_INFINITY)
    case "boolean":
      return typeof value === "boolean"
    case "array":
      return Array.isArray(value) && value.every((item) => accepts(schema.items ?? {}, item))
    case "object":
      return isObject(value) && acceptsMembers(schema, value)
    default:
      return true
  }
}

function fits({ pattern }: Schema, value: string): boolean {
  return pattern === undefined || new RegExp(pattern).test(value)
}

function acceptsMembers(schema: Schema, value: Record<string, unknown>): boolean {
  if (!(schema.required ?? []).every((key) => key in value)) return false
  return Object.entries(value).every(([key, member]) => {
    const own = schema.properties?.[key] ?? schema.additionalProperties ?? true
    return typeof own === "boolean" ? own : accepts(own, member)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

const samples: readonly [unknown, boolean][] = [
  [{}, true],
  [
    {
      $schema: "x",
      mode: "plan",
      rules: [{ permission: "fs.read", action: "deny", pattern: "**/.env", match: [".env"] }],
    },
    true,
  ],
  [{ toolset: ["locked"], limits: { grep: 5 }, net: { grants: ["localhost"] }, git: { install: true } }, true],
  [
    {
      retention: { history: { maxBytes: 5, maxDays: 3 }, sidecars: { maxHours: 1 } },
      mcpServers: { a: { command: "x" } },
    },
    true,
  ],
  [{ webSearch: { provider: "wiki", endpoints: { x: "https://x.test" }, callsPerSession: 3, timeoutMs: 9 } }, true],
  [{ toolset: "locked, code" }, true],
  [{ toolset: "locked,cod" }, false],
  [{ toolset: "locked," }, false],
  [{ toolset: ["lockd"] }, false],
  [{ mode: "fast" }, false],
  [{ webSearch: { provider: "wikipedia" } }, false],
  [{ modes: "plan" }, false],
  [{ limits: { grep: -1 } }, false],
  [{ limits: { grep: 1.5 } }, false],
  [{ rules: [{ permission: "x" }] }, false],
  [{ rules: [{ permission: "x", action: "deny", unless: "y" }] }, false],
  [{ env: "PATH" }, false],
  [[], false],
]

describe("the schema of configuration files", () => {
  test.each(samples)("%j: accepted %s, by the schema and by the program", (value, accepted) => {
    expect(accepts(configSchema() as Schema, value)).toBe(accepted)
    const parse = () => parseConfigFile(JSON.stringify(value), { path: "x", name: "x", scope: "user" })
    if (accepted) expect(parse).not.toThrow()
    else expect(parse).toThrow()
  })
})
