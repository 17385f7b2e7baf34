import type { Subject } from "@haft/contract"
import { fold } from "../../path.js"
import type { Variables } from "../../variables.js"
import { type CommandPattern, commandInside, matchesCommand, parseCommandPattern } from "./command-pattern.js"
import { compileGlob, type GlobTest, hasWildcard } from "./glob.js"
import { type HostPattern, hostInside, matchesHost, parseHostPattern } from "./host-pattern.js"
import { exact, fixedShape, numberOf } from "./number.js"
import { matchesPath, pathOf } from "./path-matcher.js"
import {
  matchesEverything,
  type PathPart,
  type PathPattern,
  type PathVariant,
  parsePathPattern,
} from "./path-pattern.js"
import { patternError } from "./pattern-problem.js"

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

/** Whether the inner pattern is inside the outer: decided on the text, in doubt no. */
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

/** A compiled pattern for one top-level argument. */
interface ArgumentPattern {
  readonly kind: "arguments"
  readonly name: string
  readonly value: string
  readonly test: GlobTest
  readonly number: number
}

/** Compiles `name=glob`. */
function parseArgumentPattern(pattern: string): ArgumentPattern {
  const found = /^([A-Za-z_][\w.-]*)=([\s\S]*)$/.exec(pattern)
  if (!found) {
    throw patternError(pattern, { reason: "it names no argument", fix: 'write "name=value", a * means any text' })
  }
  const [, name, value] = found as unknown as [string, string, string]
  const number = hasWildcard(value) ? numberOf(fixedShape, 0) : numberOf(exact, 1)
  return { kind: "arguments", name, value, test: compileGlob(value), number }
}

/** Whether an argument fits. Of a list every entry must fit, in a strict comparison one is enough. */
function matchesArguments(
  pattern: ArgumentPattern,
  values: Readonly<Record<string, unknown>>,
  strict: boolean,
): boolean {
  const value = Object.hasOwn(values, pattern.name) ? values[pattern.name] : undefined
  if (!Array.isArray(value)) return fits(pattern, value)
  if (strict) return value.some((entry) => fits(pattern, entry))
  return value.length > 0 && value.every((entry) => fits(pattern, entry))
}

/** Whether the inner pattern is one value that the outer one matches. */
function argumentInside(inner: ArgumentPattern, outer: ArgumentPattern): boolean {
  return inner.number > outer.number && inner.name === outer.name && outer.test(inner.value)
}

function fits(pattern: ArgumentPattern, value: unknown): boolean {
  if (typeof value === "string") return pattern.test(value)
  if (typeof value === "number" || typeof value === "boolean") return pattern.test(String(value))
  return false
}

/** Whether every path of the inner pattern is one of the outer, as far as the text shows it; in doubt no. */
function pathInside(inner: PathPattern, outer: PathPattern): boolean {
  return (
    inner.variants.length > 0 &&
    inner.variants.every((variant) => outer.variants.some((other) => variantInside(variant, other)))
  )
}

function variantInside(inner: PathVariant, outer: PathVariant): boolean {
  if (inner.number <= outer.number) return false
  if (matchesEverything(outer)) return true
  const innerFixed = fixedBeginning(inner.folded)
  if (innerFixed === inner.folded.length) return matchesPath(outer.folded, pathOf(inner.folded))
  const outerFixed = fixedBeginning(outer.folded)
  const outerRest = outer.folded.slice(outerFixed)
  if (outerRest[0]?.type !== "any") return false
  if (!startsWith(inner.folded, outer.folded.slice(0, outerFixed))) return false
  if (outerRest.length === 1) return true
  if (innerFixed > outerFixed && sameParts(inner.folded.slice(innerFixed), outerRest)) return true
  return nameInGlob(inner, outer)
}

/** `**` and a name is in `**` and a glob that matches the name. */
function nameInGlob(inner: PathVariant, outer: PathVariant): boolean {
  const [innerStart, name] = inner.folded
  const [outerStart, glob] = outer.folded
  if (inner.folded.length !== 2 || outer.folded.length !== 2) return false
  if (innerStart?.type !== "any" || outerStart?.type !== "any") return false
  return name?.type === "name" && glob?.type === "glob" && compileGlob(glob.text)(name.text)
}

function fixedBeginning(parts: readonly PathPart[]): number {
  const end = parts.findIndex((part) => part.type !== "name")
  return end < 0 ? parts.length : end
}

function startsWith(parts: readonly PathPart[], beginning: readonly PathPart[]): boolean {
  return beginning.every((part, index) => parts[index]?.type === "name" && parts[index].text === part.text)
}

function sameParts(left: readonly PathPart[], right: readonly PathPart[]): boolean {
  return (
    left.length === right.length &&
    left.every((part, index) => part.type === right[index]!.type && part.text === right[index]!.text)
  )
}
