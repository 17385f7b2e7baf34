import type { Action } from "@haft/contract"
import { joinWords } from "@haft/guard"
import { type ForeignEntry, families } from "./arrange.js"
import { ForeignError, type ForeignPlace } from "./foreign-file.js"

/** The rules of Codex: `prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow")`. The strictest match decides. */
export function readCodex(text: string, place: ForeignPlace): readonly ForeignEntry[] {
  const reader = new RuleReader(text)
  const entries: ForeignEntry[] = []
  for (let call = reader.next(); call !== undefined; call = reader.next()) {
    const { name, line, values } = call
    if (name !== "prefix_rule") {
      entries.push({
        ...{ place, line, text: `${name}(...)`, action: "allow", family: undefined, matcher: { how: "any" } },
        dropped: "only prefix_rule is understood",
      })
    } else entries.push(prefixRule(values, { place, line }))
  }
  return entries
}

type Value = string | boolean | readonly Value[]

const decisions: Readonly<Record<string, Action>> = { allow: "allow", prompt: "ask", forbidden: "deny" }
const mostPatterns = 200

function prefixRule(values: ReadonlyMap<string, Value>, at: Pick<ForeignEntry, "place" | "line">): ForeignEntry {
  const pattern = values.get("pattern")
  const decision = values.get("decision") ?? "allow"
  const action = typeof decision === "string" && Object.hasOwn(decisions, decision) ? decisions[decision] : undefined
  if (action === undefined) throw new ForeignError(at.line, `the decision ${JSON.stringify(decision)} is not known`)
  const isToken = (token: Value) =>
    isWord(token) || (Array.isArray(token) && token.length > 0 && (token as readonly Value[]).every(isWord))
  if (!Array.isArray(pattern) || pattern.length === 0 || !(pattern as readonly Value[]).every(isToken))
    throw new ForeignError(at.line, "its pattern must be a list of words, or of lists of words")
  const prefixes = alternatives(pattern as readonly (string | readonly string[])[], at.line)
  const patterns = prefixes.map((words) => `${joinWords(words)} *`)
  const text = `${String(decision)} ${prefixes[0]!.join(" ")}${prefixes.length > 1 ? ` (and ${prefixes.length - 1} more)` : ""}`
  return { ...at, text, action, family: families.command, matcher: { how: "ours", inner: patterns, outer: patterns } }
}

function isWord(token: Value): token is string {
  return typeof token === "string" && token !== ""
}

function alternatives(pattern: readonly (string | readonly string[])[], line: number): readonly (readonly string[])[] {
  let all: readonly (readonly string[])[] = [[]]
  for (const token of pattern) {
    const choices = typeof token === "string" ? [token] : token
    all = all.flatMap((words) => choices.map((choice) => [...words, choice]))
    if (all.length > mostPatterns)
      throw new ForeignError(line, `its pattern stands for more than ${mostPatterns} commands`)
  }
  return all
}

interface Call {
  readonly name: string
  readonly line: number
  readonly values: ReadonlyMap<string, Value>
}

// Deeper than any list of words is.
const maxDepth = 8

/** Reads calls with literal arguments, one after the other; anything else in the file is refused with its line. */
class RuleReader {
  private at = 0
  private line = 1

  constructor(private readonly text: string) {}

  next(): Call | undefined {
    this.space()
    if (this.at >= this.text.length) return undefined
    const { line } = this
    const name = this.name()
    this.expect("(")
    const values = new Map<string, Value>()
    while (!this.takes(")")) {
      const key = this.name()
      this.expect("=")
      if (values.has(key)) throw this.wrong(`"${key}" appears twice`)
      values.set(key, this.value(0))
      if (!this.takes(",")) {
        this.expect(")")
        break
      }
    }
    return { name, line, values }
  }

  private value(depth: number): Value {
    this.space()
    const first = this.text[this.at]
    if (depth > maxDepth) throw this.wrong("its lists are nested too deeply")
    if (first === '"' || first === "'") return this.string(first)
    if (first === "[") {
      this.at += 1
      const items: Value[] = []
      while (!this.takes("]")) {
        items.push(this.value(depth + 1))
        if (!this.takes(",")) {
          this.expect("]")
          break
        }
      }
      return items
    }
    const word = this.name()
    if (word === "True" || word === "False") return word === "True"
    throw this.wrong(`"${word}" is no text and no list`)
  }

  private string(quote: string): string {
    if (this.text.startsWith(quote.repeat(3), this.at)) throw this.wrong("a text of several lines is not understood")
    let value = ""
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at]!
      if (character === "\n") break
      if (character === quote) {
        this.at += 1
        return value
      }
      if (character !== "\\") value += character
      else {
        this.at += 1
        const escaped = this.text[this.at] ?? ""
        if (!"\\\"'".includes(escaped)) throw this.wrong(`"\\${escaped}" is not understood`)
        value += escaped
      }
    }
    throw this.wrong("a text does not end")
  }

  private name(): string {
    this.space()
    const name = /^[A-Za-z_]\w{0,60}/.exec(this.text.slice(this.at, this.at + 64))?.[0]
    if (name === undefined)
      throw this.wrong(`${JSON.stringify(this.text.slice(this.at, this.at + 20))} is not understood`)
    this.at += name.length
    return name
  }

  private expect(character: string): void {
    if (!this.takes(character)) throw this.wrong(`"${character}" is missing`)
  }

  private takes(character: string): boolean {
    this.space()
    if (this.text[this.at] !== character) return false
    this.at += 1
    return true
  }

  /** Goes over white space and comments. */
  private space(): void {
    for (; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at]!
      if (character === "#") {
        const end = this.text.indexOf("\n", this.at)
        this.at = end === -1 ? this.text.length : end
      }
      if (this.text[this.at] === "\n") this.line += 1
      else if (!/\s/.test(this.text[this.at] ?? "x")) return
    }
  }

  private wrong(reason: string): ForeignError {
    return new ForeignError(this.line, reason)
  }
}
