/** How another system compares a text: all of it, its beginning, or by stars. */
export type Matcher =
  | { readonly how: "any" }
  | { readonly how: "exact"; readonly text: string }
  | { readonly how: "prefix"; readonly text: string }
  /** `crosses`: whether a single star also matches slashes; two stars always do. */
  | { readonly how: "glob"; readonly text: string; readonly crosses: boolean }
  /** Patterns of ours that were found already: those that match no more than was meant, and those that match no less. */
  | { readonly how: "ours"; readonly inner: readonly string[]; readonly outer: readonly string[] }
  /** A pattern that only its own system can read. */
  | { readonly how: "unknown"; readonly text: string }

/** A pattern in the words of its system. */
export type SpelledMatcher = Exclude<Matcher, { readonly how: "ours" }>

/** What a text is, so that a pattern of ours can be compared with the same thing. */
export type ForeignSubject = "command" | "path" | "url" | "other"

/**
 * Patterns of ours for a foreign one. `exact`: they match the same calls. Otherwise they match more when asked for a
 * deny or an ask (`every` in the worst case), and fewer when asked for an allow (none in the worst case).
 */
export interface Translation {
  readonly patterns: "every" | readonly string[]
  readonly exact: boolean
}

/** Every call, as the foreign pattern says. */
export const everyCall: Translation = { patterns: "every", exact: true }

/** What is left of a pattern that cannot be said: everything for a deny or an ask, nothing for an allow. */
export function unsayable(strict: boolean): Translation {
  return { patterns: strict ? "every" : [], exact: false }
}

/** The text before the first star or question mark. */
export function beforeWildcard(text: string): string {
  return text.slice(0, Math.max(0, text.search(/[*?]|$/)))
}

/** The beginning that a pattern with nothing but stars at its end asks for; undefined for other patterns. */
export function openEnding(text: string): { readonly prefix: string; readonly stars: number } | undefined {
  const found = /^([^*?]*)(\*+)$/.exec(text)
  return found ? { prefix: found[1]!, stars: found[2]!.length } : undefined
}
