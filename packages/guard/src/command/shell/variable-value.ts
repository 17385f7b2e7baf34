import { type Argument, literal, unknown } from "../argument.js"
import type { Scope } from "./scope.js"
import type { Walk } from "./walk.js"

/** The value of a variable or parameter by its name; undefined when it cannot be told. */
export function variableValue(walk: Walk, scope: Scope, name: string): Argument | undefined {
  if (/^[?#$!]$/.test(name)) return unknown(`$${name}`, "no option")
  if (/^\d$/.test(name)) return name === "0" ? undefined : scope.positional?.[Number(name) - 1]
  if (scope.poisoned) return undefined
  const value = scope.variables.get(name)
  if (value) return isSetOnce(scope.whole, name) ? value : undefined
  if (value === null) return undefined
  if (name === "HOME" && !mentions(scope.whole, name)) return literal(walk.context.home)
  if (name === "PWD" && !mentions(scope.whole, name)) return placeValue(scope)
  return undefined
}

/** `~` and `~/...`; the homes of others are not known. */
export function expandTilde(walk: Walk, scope: Scope, text: string): Argument {
  const known = (text === "~" || text.startsWith("~/")) && !scope.poisoned && !mentions(scope.whole, "HOME")
  return known ? literal(walk.context.home + text.slice(1)) : unknown(text)
}

/** Where the shell is, when that is certain. */
export function placeValue(scope: Scope): Argument | undefined {
  const [place] = scope.places
  return scope.places.length === 1 && typeof place === "string" ? literal(place) : undefined
}

/** The name stands in the text once besides its uses: nothing but the one assignment can have set it. */
function isSetOnce(text: string, name: string): boolean {
  return countMentions(text, name) === 1
}

function mentions(text: string, name: string): boolean {
  return text.includes(name) && countMentions(text, name) > 0
}

/** How often a name stands in a text without a dollar sign in front. */
export function countMentions(text: string, name: string): number {
  let count = 0
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (isWord(text, at + name.length) || isWord(text, at - 1)) continue
    if (text[at - 1] === "$") continue
    // `${name}` uses it; `${name=...}` may set it.
    if (text.startsWith("${", at - 2) && !/^:?=/.test(text.slice(at + name.length, at + name.length + 2))) continue
    count++
  }
  return count
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
