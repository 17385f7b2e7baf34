import type { AnsiCQuotedPart, DoubleQuotedChild, Word, WordPart } from "unbash"
import { type Argument, literal, names, type UnknownShape, unknown } from "../program/findings.js"
import { expandBraces } from "./expand-braces.js"
import { expandTilde, variableValue } from "./variable-value.js"
import type { Scope, Walk } from "./walk.js"
import { walkArithmetic } from "./walk-arithmetic.js"
import { walkParameter, walkSubstitution } from "./walk-substitution.js"

/** The words that one word of the line gives, as far as they can be known. Substitutions in it become parts of their own. */
export function resolveWord(walk: Walk, scope: Scope, word: Word): readonly Argument[] {
  if (simple.test(word.text)) return [literal(word.text)]
  const { parts } = word
  if (parts === undefined) return [resolvePlain(walk, scope, word)]
  if (parts.some((part) => part.type === "BraceExpansion")) return resolveBraces(walk, scope, word, parts)
  if (parts.length === 1) {
    const [only] = parts
    if (only!.type === "SimpleExpansion") return resolveBare(walk, scope, only!.text)
    if (only!.type === "ProcessSubstitution") {
      walkSubstitution(walk, scope, only!)
      return [{ kind: "pipe", text: word.text }]
    }
  }
  return [resolveParts(walk, scope, word, parts)]
}

/** One word where the line needs exactly one: an assigned value, the target of a redirection. */
export function resolveSingle(walk: Walk, scope: Scope, word: Word): Argument {
  const resolved = resolveWord(walk, scope, word)
  return resolved.length === 1 ? resolved[0]! : unknown(word.text)
}

const simple = /^[\w@%+=:,./-]+$/

/** Without quotes and expansions; a tilde may still be in front. */
function resolvePlain(walk: Walk, scope: Scope, word: Word): Argument {
  const { text, value } = word
  if (text.startsWith("~")) return expandTilde(walk, scope, value)
  // bash expands a tilde behind the equals sign of a word that looks like an assignment, other shells do not.
  if (/^[A-Za-z_]\w*\+?=(?:.*:)?~/.test(text)) return unknown(text)
  return literal(value)
}

/** A variable that is not quoted is split at white space. */
function resolveBare(walk: Walk, scope: Scope, text: string): readonly Argument[] {
  const value = variableValue(walk, scope, text.slice(1))
  if (value?.kind === "literal" && !/\bIFS\b/.test(scope.whole) && !/[*?[\\]/.test(value.text)) {
    return value.text
      .split(/[ \t\n]+/)
      .filter((piece) => piece !== "")
      .map(literal)
  }
  if (value?.kind === "unknown" && value.shape !== "any") return [value]
  return [unknown(text)]
}

function resolveBraces(walk: Walk, scope: Scope, word: Word, parts: readonly WordPart[]): readonly Argument[] {
  const words = scope.shell === "bash" ? expandBraces(word.text) : undefined
  if (words) return words.map((text) => (/[*?[]/.test(text) ? globbed(text, text.search(/[*?[]/)) : literal(text)))
  for (const part of parts) walkNested(walk, scope, part)
  return [unknown(word.text)]
}

/** Substitutions inside braces and patterns, whose words are not followed otherwise. */
function walkNested(walk: Walk, scope: Scope, part: WordPart | DoubleQuotedChild): void {
  if (part.type === "CommandExpansion" || part.type === "ProcessSubstitution") walkSubstitution(walk, scope, part)
  else if (part.type === "ParameterExpansion") walkParameter(walk, scope, part)
  else if (part.type === "ArithmeticExpansion") walkArithmetic(walk, scope, part.expression, part.text)
  else if ("parts" in part) for (const inner of part.parts ?? []) walkNested(walk, scope, inner)
}

/** Walks the substitutions in parts whose own text does not matter, as in the body of a heredoc. */
export function walkParts(walk: Walk, scope: Scope, parts: readonly WordPart[] | undefined): void {
  for (const part of parts ?? []) walkNested(walk, scope, part)
}

function resolveParts(walk: Walk, scope: Scope, word: Word, parts: readonly WordPart[]): Argument {
  const piece = new Pieces()
  for (const [index, part] of parts.entries()) addPart(walk, scope, part, index === 0, piece)
  return piece.argument(word.text)
}

function addPart(walk: Walk, scope: Scope, part: WordPart, first: boolean, pieces: Pieces): void {
  switch (part.type) {
    case "Literal":
      if (first && part.text.startsWith("~")) {
        pieces.addValue(tildeBegin(walk, scope, part.value), false)
        return
      }
      pieces.add(part.value)
      return
    case "SingleQuoted":
      pieces.add(part.value)
      return
    case "AnsiCQuoted":
      addAnsiC(walk, scope, part, pieces)
      return
    case "DoubleQuoted":
      for (const child of part.parts) addQuoted(walk, scope, child, pieces)
      pieces.add("")
      return
    case "Glob":
      walkParts(walk, scope, part.parts)
      pieces.addWildcard(part.text)
      return
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      addExpansion(walk, scope, part, false, pieces)
      return
    default:
      walkNested(walk, scope, part)
      pieces.addUnknown("any")
      return
  }
}

/** Other shells do not know this quoting, and bash cuts the text at a NUL. */
function addAnsiC(walk: Walk, scope: Scope, { text, value }: AnsiCQuotedPart, pieces: Pieces): void {
  // A line end that is escaped stays in the text with its backslash.
  if (scope.shell !== "bash" || value.includes("\0") || text.includes("\\\n")) {
    pieces.addUnknown("one word")
    return
  }
  // The quotes are then gone at the second reading, and what was in them is expanded.
  if (scope.substituted === "twice" && !/^[\w@%+=:,./-]*$/.test(value)) walk.trouble ??= `bash may read "${text}" twice`
  pieces.add(value)
}

function addQuoted(walk: Walk, scope: Scope, child: DoubleQuotedChild, pieces: Pieces): void {
  if (child.type === "Literal") pieces.add(child.value)
  else addExpansion(walk, scope, child, true, pieces)
}

function addExpansion(
  walk: Walk,
  scope: Scope,
  part: Exclude<DoubleQuotedChild, { type: "Literal" }>,
  quoted: boolean,
  pieces: Pieces,
): void {
  // "$@" and "${list[@]}" give any number of words, quoted or not.
  if (part.type !== "CommandExpansion" && part.text.includes("@")) {
    walkNested(walk, scope, part)
    pieces.addUnknown("any")
    return
  }
  if (part.type === "SimpleExpansion") {
    pieces.addValue(variableValue(walk, scope, part.text.slice(1)), quoted)
    return
  }
  if (part.type === "ParameterExpansion") {
    pieces.addValue(walkParameter(walk, scope, part), quoted)
    return
  }
  if (part.type === "CommandExpansion") {
    pieces.addValue(walkSubstitution(walk, scope, part), quoted)
    return
  }
  walkArithmetic(walk, scope, part.expression, part.text)
  pieces.addUnknown("one word")
}

/** Only `~` and `~/...` are known; the rest of the tilde's word must not be quoted. */
function tildeBegin(walk: Walk, scope: Scope, value: string): Argument | undefined {
  return value.startsWith("~/") ? expandTilde(walk, scope, value) : undefined
}

// Variables that hold one another several times grow without end; no path is that long.
const maxWord = 8192

/** Puts a word together from its parts. */
class Pieces {
  private text = ""
  private wildcardAt: number | undefined
  private shape: UnknownShape | undefined

  add(text: string): void {
    this.text += text
  }

  addWildcard(text: string): void {
    this.wildcardAt ??= this.text.length
    this.text += text
  }

  addUnknown(shape: UnknownShape): void {
    const known = this.text !== "" && !this.text.startsWith("-")
    if (shape === "any" || this.shape === "any") this.shape = "any"
    else this.shape ??= known ? "no option" : shape
  }

  addValue(value: Argument | undefined, quoted: boolean): void {
    if (value?.kind === "literal" && this.text.length + value.text.length > maxWord) this.addUnknown("any")
    else if (value?.kind === "literal" && (quoted || simple.test(value.text))) this.add(value.text)
    else if (value?.kind === "names" && quoted) {
      this.wildcardAt ??= this.text.length + value.text.search(/[*?[]|$/)
      this.text += value.text
    } else if (value?.kind === "unknown" && value.shape !== "any") this.addUnknown(value.shape)
    else this.addUnknown(quoted ? "one word" : "any")
  }

  argument(source: string): Argument {
    if (this.shape !== undefined) return unknown(source, this.shape)
    return this.wildcardAt === undefined ? literal(this.text) : globbed(this.text, this.wildcardAt)
  }
}

/** Behind a wildcard a part `..` could lead anywhere. */
function globbed(text: string, wildcardAt: number): Argument {
  if (/\/\.\.(?:\/|$)/.test(text.slice(wildcardAt))) return unknown(text)
  return names(text, text.slice(0, wildcardAt))
}
