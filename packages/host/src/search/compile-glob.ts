import { ToolError } from "@haft/contract"
import { compileSegment, type GlobSegment } from "./compile-segment.js"
import { expandBraces, pairBraces, splitOutside } from "./expand-braces.js"

/** A compiled glob: where to begin, what to ask ripgrep for, and the exact test. */
export interface GlobPattern {
  /** The fixed folders at the beginning; absolute when the pattern is. Empty when there are none. */
  readonly prefix: string
  /** Globs for names that let everything pass that the test accepts; undefined when every name may pass. */
  readonly names: readonly string[] | undefined
  /** How many components a match can have at most, counted from the prefix; undefined when there is no bound. */
  readonly maxDepth: number | undefined
  /** Whether a path relative to the prefix matches. */
  matches(path: string): boolean
}

/**
 * Compiles a glob. As in .gitignore, a pattern without a slash matches at any depth and one with a slash counts from where the
 * search begins; "**" spans folders, "*" and "?" stay within a name, [a-z] and {a,b} work, a class also takes its own text, a
 * backslash takes a character as it is, names that begin with a dot match like others. Exclusion with "!" is refused,
 * because silently finding the opposite helps nobody.
 */
export function compileGlob(pattern: string, { ignoreCase = false } = {}): GlobPattern {
  const refuse = (reason: string, hint: string) =>
    new ToolError("invalid_args", `Cannot use the glob "${pattern.slice(0, 200)}": ${reason}`, { hint })
  refuseUnclear(pattern, refuse)
  const fold = ignoreCase ? lowerCased : (text: string) => text
  const expanded = expandBraces(fold(pattern), maxAlternatives)
  if (expanded === undefined) {
    throw refuse(`its braces mean more than ${maxAlternatives} patterns`, "use fewer alternatives or a wildcard")
  }
  const alternatives = expanded.map(segmentsOf)
  const [first] = alternatives
  if (first === undefined || alternatives.some(({ absolute }) => absolute !== first.absolute)) {
    throw refuse("it mixes absolute and relative alternatives", "search twice")
  }
  const fixed = ignoreCase ? [] : fixedFolders(alternatives.map(({ segments }) => segments))
  const rests = alternatives.map(({ segments }) => segments.slice(fixed.length))
  if (rests.some((rest) => rest.some(({ literal }) => literal === ".."))) {
    throw refuse('".." may be only at its beginning', "name the folder itself")
  }
  const matches = matcherOf(rests)
  return {
    prefix: (first.absolute ? "/" : "") + fixed.join("/"),
    // ripgrep compares names as they are.
    names: ignoreCase ? undefined : namesOf(rests),
    maxDepth: rests.flat().some(({ deep }) => deep) ? undefined : Math.max(...rests.map((rest) => rest.length)),
    matches: ignoreCase ? (path) => matches(fold(path)) : matches,
  }
}

const maxLength = 4096
const maxAlternatives = 256

function lowerCased(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Refuses a pattern that would find nothing, or something else than its writer means, with one that works. */
function refuseUnclear(pattern: string, refuse: (reason: string, hint: string) => ToolError): void {
  if (pattern.trim() === "") throw refuse("it is empty", 'use "**" for every file')
  if (pattern.includes("\0")) throw refuse("it contains a NUL character", "remove it")
  if (pattern.length > maxLength) throw refuse(`it is longer than ${maxLength} characters`, "use a shorter pattern")
  if (pattern.startsWith("!")) {
    throw refuse("exclusion is not supported", 'name what to include, or write "\\!" for a name that begins with "!"')
  }
  const { lone } = pairBraces(pattern)
  if (lone !== undefined) {
    const problem = pattern[lone] === "{" ? "is never closed" : "closes nothing"
    throw refuse(`its "${pattern[lone]}" at character ${lone + 1} ${problem}`, loneBraceHint(pattern, lone))
  }
  const parts = splitOutside(pattern, ",|").map((part) => part.trim())
  // A name may hold a comma; several wildcards between commas are several patterns.
  if (parts.length < 2 || !parts.every((part) => /[*?]/.test(part))) return
  const isComma = splitOutside(pattern, ",").length > 1
  throw refuse(
    isComma ? "a comma separates patterns only in braces" : '"|" does not separate patterns',
    `Send "{${parts.join(",")}}"; for the character itself put a backslash before it`,
  )
}

function loneBraceHint(pattern: string, lone: number): string {
  const rest = pattern.slice(lone + 1)
  const isOpenSet = pattern[lone] === "{" && rest.includes(",") && !/[/{}]/.test(rest)
  const escaped = `${pattern.slice(0, lone)}\\${pattern.slice(lone)}`
  return isOpenSet
    ? `Send "${pattern}}", or "${escaped}" for the character itself`
    : `Send "${escaped}" for the character itself, or give it its partner`
}

interface Alternative {
  readonly absolute: boolean
  readonly segments: readonly GlobSegment[]
}

function segmentsOf(source: string): Alternative {
  const parts = source.split("/")
  const absolute = parts.length > 1 && parts[0] === ""
  const named = parts.filter((part) => part !== "" && part !== ".")
  // "src/" and "src/**" both mean everything below; a name alone means that name anywhere.
  const isFolder = source.endsWith("/") || named.at(-1) === "**"
  if (isFolder) named.push(...(named.at(-1) === "**" ? ["*"] : ["**", "*"]))
  else if (parts.length === 1) named.unshift("**")
  return { absolute, segments: named.map(compileSegment) }
}

/** The fixed folders that all alternatives begin with; the last segment names files and is never one of them. */
function fixedFolders(alternatives: readonly (readonly GlobSegment[])[]): string[] {
  const fixed: string[] = []
  for (let index = 0; ; index += 1) {
    const literal = alternatives[0]?.[index]?.literal
    const isShared = alternatives.every(
      (segments) => segments.length > index + 1 && segments[index]?.literal === literal,
    )
    if (literal === undefined || !isShared) return fixed
    fixed.push(literal)
  }
}

function namesOf(rests: readonly (readonly GlobSegment[])[]): string[] | undefined {
  const names = rests.map((rest) => rest.at(-1)?.wider)
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined
}

function matcherOf(rests: readonly (readonly GlobSegment[])[]): (path: string) => boolean {
  if (rests.every(isAnyDepth)) {
    const lasts = rests.map((rest) => rest[1]!)
    return (path) => {
      const name = path.slice(path.lastIndexOf("/") + 1)
      return lasts.some((segment) => segment.matches(name))
    }
  }
  return (path) => {
    const components = path.split("/")
    return rests.some((rest) => matchComponents(rest, components))
  }
}

function isAnyDepth(rest: readonly GlobSegment[]): boolean {
  return rest.length === 2 && rest[0]?.deep === true && rest[1]?.deep === false
}

function matchComponents(segments: readonly GlobSegment[], components: readonly string[]): boolean {
  let at = 0
  let index = 0
  let deepIndex = -1
  let deepAt = 0
  while (at < components.length) {
    const segment = segments[index]
    if (segment?.deep) {
      deepIndex = index
      deepAt = at
      index += 1
    } else if (segment?.matches(components[at]!)) {
      at += 1
      index += 1
    } else if (deepIndex >= 0) {
      deepAt += 1
      at = deepAt
      index = deepIndex + 1
    } else return false
  }
  while (segments[index]?.deep) index += 1
  return index === segments.length
}
