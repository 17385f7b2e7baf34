/** One piece of a segment pattern: fixed text, any run of characters, one character, or one of a class. */
type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "run" }
  | { readonly kind: "one" }
  | {
      readonly kind: "class"
      /** The class as it is written, brackets included. */
      readonly text: string
      readonly ranges: readonly (readonly [number, number])[]
      readonly negated: boolean
    }

/** A pattern for one component of a path; "**" means any number of components. */
export interface GlobSegment {
  readonly deep: boolean
  /** The text, when the segment has no wildcard. */
  readonly literal: string | undefined
  matches(name: string): boolean
  /** A glob of ripgrep that matches at least what this matches; undefined when that would be everything. */
  readonly wider: string | undefined
}

/** Compiles one component of a glob. */
export function compileSegment(source: string): GlobSegment {
  if (source === "**") return { deep: true, literal: undefined, matches: () => true, wider: undefined }
  const tokens = tokenize(source)
  return { deep: false, literal: literalOf(tokens), matches: matcherOf(tokens), wider: widerOf(tokens) }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let text = ""
  const flush = () => {
    if (text !== "") tokens.push({ kind: "text", text })
    text = ""
  }
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]!
    const found = character === "[" ? readClass(source, index) : undefined
    if (character === "\\" && index + 1 < source.length) {
      index += 1
      text += source[index]
    } else if (character === "*") {
      flush()
      if (tokens.at(-1)?.kind !== "run") tokens.push({ kind: "run" })
    } else if (character === "?") {
      flush()
      tokens.push({ kind: "one" })
    } else if (found !== undefined) {
      flush()
      tokens.push(found.token)
      index = found.end
    } else text += character
  }
  flush()
  return tokens
}

/** A class such as [a-z] or [!0-9]; an opening bracket without a closing one is an ordinary character. */
function readClass(source: string, start: number): { token: Token; end: number } | undefined {
  const end = classEnd(source, start)
  if (end < 0) return undefined
  const negated = isNegated(source, start)
  const first = start + (negated ? 2 : 1)
  const points = Array.from(source.slice(first, end), (character) => character.codePointAt(0)!)
  const ranges: [number, number][] = []
  for (let index = 0; index < points.length; index += 1) {
    const isRange = points[index + 1] === hyphen && index + 2 < points.length
    ranges.push([points[index]!, isRange ? points[index + 2]! : points[index]!])
    if (isRange) index += 2
  }
  return { token: { kind: "class", text: source.slice(start, end + 1), ranges, negated }, end }
}

/** Where the class that begins at an opening bracket ends; -1 when the bracket is an ordinary character. */
export function classEnd(source: string, start: number): number {
  return source.indexOf("]", start + (isNegated(source, start) ? 3 : 2))
}

function isNegated(source: string, start: number): boolean {
  return source[start + 1] === "!" || source[start + 1] === "^"
}

const hyphen = 0x2d

function literalOf(tokens: readonly Token[]): string | undefined {
  const [only] = tokens
  if (tokens.length === 0) return ""
  return tokens.length === 1 && only?.kind === "text" ? only.text : undefined
}

function matcherOf(tokens: readonly Token[]): (name: string) => boolean {
  const literal = literalOf(tokens)
  if (literal !== undefined) return (name) => name === literal
  const [first, second] = tokens
  if (tokens.length === 1 && first?.kind === "run") return () => true
  if (tokens.length === 2 && first?.kind === "run" && second?.kind === "text") {
    const ending = second.text
    return (name) => name.endsWith(ending)
  }
  if (!tokens.some(({ kind }) => kind === "class")) return (name) => matchTokens(tokens, name, "class")
  return (name) => readings.some((reading) => matchTokens(tokens, name, reading))
}

/**
 * A class also means its own text: frameworks call folders `[id]`, and who asks for `app/[id]/page.tsx` means that
 * one. `either` is for a pattern with one class of each sort, such as `[id].[jt]s`.
 */
const readings = ["class", "text", "either"] as const
type Reading = (typeof readings)[number]

// Returns to the last run only, which is enough for wildcards and keeps the time within pattern times name:
// a pattern from a model never meets a backtracking engine.
function matchTokens(tokens: readonly Token[], name: string, reading: Reading): boolean {
  let at = 0
  let index = 0
  let runToken = -1
  let runAt = 0
  while (true) {
    const token = tokens[index]
    if (token === undefined && at === name.length) return true
    const width = token === undefined || token.kind === "run" ? -1 : widthOf(token, name, { at, reading })
    if (token?.kind === "run") {
      runToken = index
      runAt = at
      index += 1
    } else if (width >= 0) {
      at += width
      index += 1
    } else if (runToken >= 0 && runAt < name.length) {
      runAt += characterWidth(name, runAt)
      at = runAt
      index = runToken + 1
    } else return false
  }
}

/** How much of the name the token takes at this place; -1 when it does not match. */
function widthOf(
  token: Exclude<Token, { kind: "run" }>,
  name: string,
  { at, reading }: { readonly at: number; readonly reading: Reading },
): number {
  const isText = token.kind === "text" || (token.kind === "class" && reading !== "class")
  if (isText && name.startsWith(token.text, at)) return token.text.length
  if (token.kind === "text" || (token.kind === "class" && reading === "text") || at >= name.length) return -1
  const point = name.codePointAt(at)!
  if (token.kind === "class" && token.ranges.some(([low, high]) => point >= low && point <= high) === token.negated) {
    return -1
  }
  return characterWidth(name, at)
}

function characterWidth(name: string, at: number): number {
  return name.codePointAt(at)! > 0xffff ? 2 : 1
}

function widerOf(tokens: readonly Token[]): string | undefined {
  const glob = tokens
    // Only plain characters go through as they are; the exact match is made here, on what ripgrep lists.
    .map((token) => (token.kind === "text" ? token.text.replaceAll(/[^\p{L}\p{N} ._+@=,~-]/gu, "*") : "*"))
    .join("")
    .replaceAll(/\*+/g, "*")
  return glob === "*" || glob === "" ? undefined : glob
}
