import { compileGlob, type GlobTest, hasWildcard } from "./glob.js"
import { exact, fixedShape, numberOf } from "./number.js"
import { patternError } from "./pattern-problem.js"

/** A compiled pattern for one top-level argument. */
export interface ArgumentPattern {
  readonly kind: "arguments"
  readonly name: string
  readonly value: string
  readonly test: GlobTest
  readonly number: number
}

/** Compiles `name=glob`. */
export function parseArgumentPattern(pattern: string): ArgumentPattern {
  const found = /^([A-Za-z_][\w.-]*)=([\s\S]*)$/.exec(pattern)
  if (!found) {
    throw patternError(pattern, { reason: "it names no argument", fix: 'write "name=value", a * stands for any text' })
  }
  const [, name, value] = found as unknown as [string, string, string]
  const number = hasWildcard(value) ? numberOf(fixedShape, 0) : numberOf(exact, 1)
  return { kind: "arguments", name, value, test: compileGlob(value), number }
}

/** Whether an argument fits. Of a list every entry must fit, in a strict comparison one is enough. */
export function matchesArguments(
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
export function argumentInside(inner: ArgumentPattern, outer: ArgumentPattern): boolean {
  return inner.number > outer.number && inner.name === outer.name && outer.test(inner.value)
}

function fits(pattern: ArgumentPattern, value: unknown): boolean {
  if (typeof value === "string") return pattern.test(value)
  if (typeof value === "number" || typeof value === "boolean") return pattern.test(String(value))
  return false
}
