import { isInside, type RequirementSet } from "@haft/contract"
import { parseHostPattern } from "../rules/pattern/host-pattern.js"
import { matchesPath, pathMatcher, pathOf } from "../rules/pattern/path-matcher.js"
import { type PathVariant, parsePathPattern } from "../rules/pattern/path-pattern.js"
import type { Variables } from "../variables.js"
import type { PathScope, Scope } from "./scope.js"

/** Compiles what a tool or a host declares. An unknown variable throws; an empty one gives an empty scope. */
export function compileRequirements(requires: RequirementSet, variables: Variables): Scope {
  return {
    read: pathScope(requires.fs?.read ?? [], variables),
    write: pathScope(requires.fs?.write ?? [], variables),
    hosts: (requires.net?.hosts ?? []).filter((host) => host !== anyHost).map(parseHostPattern),
    everyHost: requires.net?.hosts.includes(anyHost) ?? false,
    shell: requires.shell ?? [],
    capabilities: new Set(requires.capabilities ?? []),
  }
}

function pathScope(patterns: readonly string[], variables: Variables): PathScope {
  const variants = patterns.flatMap((pattern) => parsePathPattern(wholeFolder(pattern), variables, "manifest").variants)
  const tests = variants.map(testOf)
  return {
    places: [...new Set(variants.map((variant) => pathOf(variant.parts)))],
    contains: (path) => tests.some((test) => test(path)),
  }
}

/** A variable alone names a folder, so it means all that is below. */
function wholeFolder(pattern: string): string {
  return /^\{[^{}]*\}$/.test(pattern) ? `${pattern}/**` : pattern
}

function testOf({ parts }: PathVariant): (path: string) => boolean {
  const matcher = pathMatcher(parts)
  if (matcher.by === "everything") return () => true
  if (matcher.by === "path") {
    const { path, below } = matcher
    return below ? (other) => isInside(other, path) : (other) => other === path
  }
  return (path) => matchesPath(parts, path)
}

// A tool that goes where its arguments say; which hosts it may reach is for grants and rules.
const anyHost = "*"
