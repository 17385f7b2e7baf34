import type { Subject } from "@haft/contract"
import type { Variables } from "../../variables.js"
import { type ArgumentPattern, argumentInside, matchesArguments, parseArgumentPattern } from "./argument-pattern.js"
import { type CommandPattern, commandInside, matchesCommand, parseCommandPattern } from "./command-pattern.js"
import { type HostPattern, hostInside, matchesHost, parseHostPattern } from "./host-pattern.js"
import { pathInside } from "./path-inside.js"
import { matchesPath } from "./path-matcher.js"
import { type PathPattern, parsePathPattern } from "./path-pattern.js"
import { fold } from "../../path/fold.js"

/** What a pattern can be compared with. */
export type SubjectKind = Subject["kind"]

/** A compiled pattern of one kind. */
export type Pattern = PathPattern | HostPattern | CommandPattern | ArgumentPattern

/** Compiles a rule's pattern for one kind of subject. */
export function parsePattern(pattern: string, kind: SubjectKind, variables: Variables): Pattern {
  switch (kind) {
    case "path":
      return parsePathPattern(pattern, variables, "rule")
    case "host":
      return parseHostPattern(pattern)
    case "command":
      return parseCommandPattern(pattern)
    case "arguments":
      return parseArgumentPattern(pattern)
  }
}

/**
 * Whether a subject fits. Strict is how deny and ask compare: the spelled or the resolved path, folded; otherwise
 * the resolved path must fit exactly.
 */
export function matchesSubject(pattern: Pattern, subject: Subject, strict: boolean): boolean {
  if (pattern.kind === "path" && subject.kind === "path") return matchesLocated(pattern, subject.at, strict)
  if (pattern.kind === "host" && subject.kind === "host") return matchesHost(pattern, subject, strict)
  if (pattern.kind === "command" && subject.kind === "command") return matchesCommand(pattern, subject, strict)
  if (pattern.kind === "arguments" && subject.kind === "arguments") {
    return matchesArguments(pattern, subject.values, strict)
  }
  return false
}

/** Whether the inner pattern lies inside the outer: decided on the text, in doubt no. */
export function patternInside(inner: Pattern, outer: Pattern): boolean {
  if (inner.kind === "path" && outer.kind === "path") return pathInside(inner, outer)
  if (inner.kind === "host" && outer.kind === "host") return hostInside(inner, outer)
  if (inner.kind === "command" && outer.kind === "command") return commandInside(inner, outer)
  if (inner.kind === "arguments" && outer.kind === "arguments") return argumentInside(inner, outer)
  return false
}

function matchesLocated(
  pattern: PathPattern,
  at: { readonly absolute: string; readonly resolved: string },
  strict: boolean,
): boolean {
  if (!strict) return pattern.variants.some((variant) => matchesPath(variant.parts, at.resolved))
  const spelled = fold(at.absolute)
  const resolved = fold(at.resolved)
  return pattern.variants.some(
    ({ folded }) => matchesPath(folded, resolved) || (spelled !== resolved && matchesPath(folded, spelled)),
  )
}
