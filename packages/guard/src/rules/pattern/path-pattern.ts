import { fold, partsOf } from "../../path.js"
import { expandPlace, type PatternAuthor, type Variables } from "../../variables.js"
import { hasWildcard } from "./glob.js"
import { exact, fixedShape, numberOf, openEnd, universal } from "./number.js"
import { patternError } from "./pattern-problem.js"

/** One part of a path pattern: a name, a name with wildcards, or any number of parts. */
export interface PathPart {
  readonly type: "name" | "glob" | "any"
  readonly text: string
}

/** A path pattern below one folder; a pattern has one for each folder that its variable means. */
export interface PathVariant {
  readonly parts: readonly PathPart[]
  /** The same, folded: the form in which patterns are compared with each other. */
  readonly folded: readonly PathPart[]
  readonly number: number
}

/** A compiled path pattern. Without variants it matches nothing. */
export interface PathPattern {
  readonly kind: "path"
  readonly variants: readonly PathVariant[]
  readonly number: number
}

/** Compiles a path pattern: absolute, anywhere (`**` first), or below each workspace root. */
export function parsePathPattern(pattern: string, variables: Variables, author: PatternAuthor): PathPattern {
  refuseUnknownSyntax(pattern)
  const place = expandPlace(pattern, variables, author) ?? ownPlace(pattern, variables)
  const rest = parseParts(place.rest, pattern)
  const variants = place.folders.map((folder) => variantOf([...folderParts(folder), ...rest]))
  // The lowest of the variants: a pattern that is inside another one is so with each of its variants.
  const number = variants.length > 0 ? Math.min(...variants.map((each) => each.number)) : variantOf(rest).number
  return { kind: "path", variants, number }
}

/** Whether a variant matches every path. */
export function matchesEverything(variant: PathVariant): boolean {
  return variant.parts.length === 1 && variant.parts[0]!.type === "any"
}

function ownPlace(pattern: string, variables: Variables): { folders: readonly string[]; rest: string } {
  const anywhere = pattern === "**" || pattern.startsWith("**/")
  return { folders: anywhere ? ["/"] : variables.workspace, rest: pattern }
}

function folderParts(folder: string): readonly PathPart[] {
  return partsOf(folder).map((text) => ({ type: "name", text }))
}

function parseParts(rest: string, pattern: string): readonly PathPart[] {
  const parts: PathPart[] = []
  for (const text of rest.split("/")) {
    if (text === "" || text === ".") continue
    if (text === "..") {
      throw patternError(pattern, { reason: 'it goes up with ".."', fix: "write the whole path from / or ~/" })
    }
    if (text === "**") {
      if (parts.at(-1)?.type !== "any") parts.push({ type: "any", text })
    } else if (text.includes("**")) {
      throw patternError(pattern, doubleStarProblem(pattern, text))
    } else {
      parts.push({ type: hasWildcard(text) ? "glob" : "name", text })
    }
  }
  return parts
}

function variantOf(parts: readonly PathPart[]): PathVariant {
  const fixed = parts.filter((part) => part.type === "name").length
  const folded = parts.map((part) => (part.type === "any" ? part : { type: part.type, text: fold(part.text) }))
  const variant = { parts, folded, number: 0 }
  return { ...variant, number: numberOf(classOf(variant), fixed) }
}

function classOf(variant: PathVariant): 0 | 1 | 2 | 3 {
  if (matchesEverything(variant)) return universal
  if (variant.parts.at(-1)?.type === "any") return openEnd
  return variant.parts.every((part) => part.type === "name") ? exact : fixedShape
}

function doubleStarProblem(pattern: string, part: string): { reason: string; fix: string } {
  const [before, after] = part.split("**") as [string, string]
  const steps = [before && `${before}*`, "**", after && `*${after}`].filter((step) => step !== "")
  return {
    reason: `"**" means whole parts only, not inside "${part}"`,
    fix: `write "${pattern.replace(part, steps.join("/"))}"`,
  }
}

/** What other tools understand and this one would take literally, so that a deny never fails in silence. */
function refuseUnknownSyntax(pattern: string): void {
  if (pattern.includes("\0")) throw patternError(pattern, { reason: "it holds a NUL byte", fix: "remove it" })
  if (pattern !== pattern.trim()) {
    throw patternError(pattern, { reason: "it starts or ends with white space", fix: `write "${pattern.trim()}"` })
  }
  if (pattern.length > 1 && pattern.endsWith("/")) {
    throw patternError(pattern, { reason: "it ends with a slash", fix: `write "${pattern}**" for all that is below` })
  }
  if (pattern.startsWith("!")) {
    throw patternError(pattern, { reason: "patterns cannot be negated", fix: "write a rule with the other action" })
  }
  if (/\{[^}/]*,[^}/]*\}/.test(pattern)) {
    throw patternError(pattern, { reason: "braces are not expanded", fix: "write one rule for each alternative" })
  }
  if (/^~[^/]/.test(pattern)) {
    throw patternError(pattern, { reason: "only your own home can be named", fix: 'write "~/..." or the whole path' })
  }
}
