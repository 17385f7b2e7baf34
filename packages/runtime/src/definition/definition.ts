import type { AnyManifest, Dialect, DialectTitles } from "@haft/contract"
import { idsOf, isBrought, toolOf } from "../dialect/find-row.js"
import type { CallSession } from "../session/call-session.js"
import { hintsOf, type ToolHints } from "./tool-hints.js"
import { encodeWireName } from "./wire-name.js"

/** A tool as it is offered to a model. */
export interface ToolOffer {
  readonly id: string
  /** The name for providers, where it is not made from the id. */
  readonly wireName?: string
  readonly title: string
  /** The title in every language, where there is more than one. */
  readonly titles?: DialectTitles
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /** Absent where the results have no schema of their own. */
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly hints: ToolHints
  /** What the system of a dialect publishes beside this. */
  readonly descriptor?: Readonly<Record<string, unknown>>
}

/** Derives what a model is offered from a manifest; of other tools it names in brackets only those that are offered too. */
export function offerOf(manifest: AnyManifest, isOffered: (id: string) => boolean = () => true): ToolOffer {
  return {
    id: manifest.id,
    title: manifest.title,
    description: manifest.foreign
      ? shortened(manifest.description)
      : manifest.description.replace(/ \(use (\w+)\)/g, (words, id: string) => (isOffered(id) ? words : "")),
    input_schema: jsonSchemaOf(manifest.input, "input"),
    output_schema: jsonSchemaOf(manifest.output, "output"),
    hints: hintsOf(manifest),
  }
}

// Nobody here wrote the texts of foreign tools, and each costs in every request; tool_search has the whole.
const longestForeign = 200

function shortened(description: string): string {
  return description.length > longestForeign ? `${description.slice(0, longestForeign - 3)}...` : description
}

type Schema = AnyManifest["input"]

// Safe integers need no bounds in a schema for people and models: they only cost tokens.
const safeIntegerBounds = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

type JsonSchema = Readonly<Record<string, unknown>>

// Schemas do not change, and every session offers the same ones (bench: agent-step).
const written = { input: new WeakMap<Schema, JsonSchema>(), output: new WeakMap<Schema, JsonSchema>() }

/** JSON Schema (2020-12) of a schema, without what only costs tokens. */
export function jsonSchemaOf(schema: Schema, side: "input" | "output"): JsonSchema {
  const known = written[side].get(schema)
  if (known) return known
  const made = writeSchema(schema, side)
  written[side].set(schema, made)
  return made
}

function writeSchema(schema: Schema, side: "input" | "output"): JsonSchema {
  const full = schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" }) as Record<string, unknown>
  const { $schema: _, ...rest } = full
  return withoutBounds(rest) as Record<string, unknown>
}

function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds)
  if (value === null || typeof value !== "object") return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const bound = key === "minimum" || key === "maximum"
    if (!(bound && typeof member === "number" && safeIntegerBounds.has(member))) kept[key] = withoutBounds(member)
  }
  return kept
}

/**
 * What a session offers to a model: its tools, or those of a dialect and with them what only this host has. Of many foreign
 * tools only those that a search brought up, where the dialect can search.
 */
export function offersOf({ offer, registry }: CallSession, dialect?: Dialect): readonly ToolOffer[] {
  if (!dialect) return offer.list().map(({ manifest }) => offerOf(manifest, (id) => offer.has(id)))
  const rows = dialectOffers(dialect)
  const canSearch = dialect.tools.flatMap(idsOf).some((id) => toolOf(id, dialect, registry)?.manifest.finds)
  const others = (canSearch ? offer.list() : registry.tools).filter(({ manifest }) => isBrought(manifest))
  const taken = new Set(rows.map(({ wireName }) => wireName))
  const offers = others.map(({ manifest }) => offerOf(manifest, () => false))
  return [...rows, ...offers.filter(({ id }) => !taken.has(encodeWireName(id)))]
}

/** The tools of a dialect as that system would offer them to a model. */
export function dialectOffers(dialect: Dialect): readonly ToolOffer[] {
  return dialect.tools.map((row) => {
    const input_schema = jsonSchemaOf(row.input, "input")
    const descriptor = dialect.descriptor?.(row, input_schema)
    return {
      id: row.name,
      wireName: encodeWireName(dialect.wireName?.(row.name) ?? row.name),
      title: row.titles?.en ?? row.name,
      ...(row.titles === undefined ? {} : { titles: row.titles }),
      description: row.description,
      input_schema,
      hints: hintsOf({ tier: row.tier }),
      ...(descriptor === undefined ? {} : { descriptor }),
    }
  })
}
