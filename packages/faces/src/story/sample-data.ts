import { recordOf } from "../text/read-data.js"

/** The part of a zod schema that is used here. */
interface Schema {
  safeParse(value: unknown): {
    readonly success: boolean
    readonly data?: unknown
    readonly error?: { readonly issues: readonly unknown[] }
  }
}

// Each round fills what the schema misses; nested fields show up once what holds them is there.
const maxRounds = 20

/**
 * Data of a schema's shape that begins with what is given: what the schema misses is taken from the arguments, where they
 * have it, else it is the plainest value.
 */
export function sampleData(schema: Schema, given: unknown, input: Readonly<Record<string, unknown>>): unknown {
  let value: unknown = JSON.parse(JSON.stringify(given ?? {}))
  for (let round = 0; round < maxRounds; round += 1) {
    const { success, data, error } = schema.safeParse(value)
    if (success) return data
    for (const issue of error?.issues ?? []) value = repaired(value, recordOf(issue), round === 0 ? input : {})
  }
  return value
}

type Fields = Readonly<Record<string, unknown>>

function repaired(value: unknown, issue: Fields, input: Fields): unknown {
  const path = Array.isArray(issue.path) ? (issue.path as readonly (string | number)[]) : []
  const [first] = path
  const isSaid = path.length === 1 && typeof first === "string" && Object.hasOwn(input, first)
  const plain = isSaid ? input[first] : plainValue(issue)
  if (path.length === 0) return plain
  const copy = JSON.parse(JSON.stringify(value)) as Record<string | number, unknown>
  let holder = copy
  for (const key of path.slice(0, -1)) {
    if (holder[key] === null || typeof holder[key] !== "object") holder[key] = {}
    holder = holder[key] as Record<string | number, unknown>
  }
  holder[path.at(-1)!] = plain
  return copy
}

function plainValue(issue: Fields): unknown {
  if (Array.isArray(issue.values)) return issue.values[0]
  if (typeof issue.minimum === "number") return issue.origin === "string" ? "x".repeat(issue.minimum) : issue.minimum
  const plain: Readonly<Record<string, unknown>> = {
    string: "text",
    number: 1,
    int: 1,
    boolean: false,
    array: [],
    null: null,
  }
  const expected = String(issue.expected)
  return Object.hasOwn(plain, expected) ? plain[expected] : {}
}
