import { canonicalToken } from "./canonical-token.js"

/** A query of words, some of which must occur. */
export interface WordQuery {
  readonly kind: "words"
  /** The whole query without its marks. */
  readonly text: string
  /** Small letters, as they were written. */
  readonly mandatory: readonly string[]
}

/** What a query asks for. */
export type ToolQuery =
  | { readonly kind: "all" }
  | { readonly kind: "select"; readonly names: readonly string[] }
  | WordQuery

/** Reads `select:a,b`, `+word` and plain words; without any it asks for the whole list. */
export function parseQuery(query: string): ToolQuery {
  // Past this a query says nothing new, and each word costs time.
  const trimmed = query.slice(0, maxLength).trim()
  if (/^select:/i.test(trimmed)) {
    const names = trimmed.slice("select:".length).split(",").map(canonicalToken)
    return { kind: "select", names: names.filter((name) => name !== "") }
  }
  const terms = trimmed.split(/\s+/).filter((term) => term !== "" && term !== "+")
  if (terms.length === 0) return { kind: "all" }
  const mandatory = terms.filter((term) => term.startsWith("+")).map((term) => term.slice(1).toLowerCase())
  return { kind: "words", text: terms.map((term) => term.replace(/^\+/, "")).join(" "), mandatory }
}

const maxLength = 1000
