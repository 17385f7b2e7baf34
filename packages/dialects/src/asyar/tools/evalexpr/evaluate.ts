import { nearestNames } from "@haft/contract"
import { functions, power } from "./functions.js"
import { type Token, tokensOf } from "./tokens.js"
import {
  boolean,
  booleanOf,
  empty,
  equal,
  failure,
  float,
  int,
  numberOf,
  quoted,
  string,
  tuple,
  type Value,
} from "./value.js"

/** Evaluates an expression with the rules of evalexpr; what these refuse is `invalid_args`. */
export function evaluate(expression: string): Value {
  return new Evaluator(tokensOf(expression)).run()
}

const precedences: Readonly<Record<string, number>> = {
  "^": 120,
  "*": 100,
  "/": 100,
  "%": 100,
  "+": 95,
  "-": 95,
  "<": 80,
  ">": 80,
  "<=": 80,
  ">=": 80,
  "==": 80,
  "!=": 80,
  "&&": 75,
  "||": 70,
}
const ofFunction = 190
const ofUnary = 110
const ofAssignment = 50
const assignment = /^(?:[-+*/%^]|&&|\|\|)?=$/

// Each level is a few frames of the stack.
const maxDepth = 200

/**
 * Reads and computes in one go: the language has no loops, no conditions that skip, and no effects but its own variables,
 * so that no tree is needed, and its cost is that of its length.
 */
class Evaluator {
  readonly #tokens: readonly Token[]
  readonly #variables = new Map<string, Value>()
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  run(): Value {
    const value = this.#chain()
    if (this.#at < this.#tokens.length) throw failure(`${wordsOf(this.#tokens[this.#at]!)} is not expected there`)
    return value
  }

  /** Expressions after semicolons: the last one counts, also where it is not there. */
  #chain(): Value {
    let value = this.#aggregate()
    while (this.#takes(";")) value = this.#aggregate()
    return value
  }

  /** One value, a tuple where commas are between several, or nothing. */
  #aggregate(): Value {
    const next = this.#sign()
    if (this.#at >= this.#tokens.length || next === ")" || next === ";") return empty
    const values = [this.#expression(0)]
    while (this.#takes(",")) values.push(this.#expression(0))
    return values.length === 1 ? values[0]! : tuple(values)
  }

  /** What binds more strongly than this. Operators of one precedence go from left to right, powers too. */
  #expression(precedence: number): Value {
    if (this.#depth >= maxDepth) throw failure(`it is nested more than ${maxDepth} times; compute it in steps`)
    this.#depth += 1
    let left = this.#operand()
    for (;;) {
      const sign = this.#sign()
      const own = sign === undefined ? undefined : precedences[sign]
      if (sign === undefined || own === undefined || own <= precedence) break
      this.#at += 1
      left = compute(sign, left, this.#expression(own))
    }
    this.#depth -= 1
    return left
  }

  #operand(): Value {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw failure("something is missing at its end")
    this.#at += 1
    if (token.type === "value") return token.value
    if (token.type === "name") return this.#named(token.name)
    if (token.sign === "(") return this.#inBraces()
    if (token.sign === "-") return negated(this.#expression(ofUnary))
    if (token.sign === "!") return boolean(!booleanOf(this.#expression(ofUnary)))
    throw failure(`a value is missing before ${wordsOf(token)}`)
  }

  #inBraces(): Value {
    if (this.#depth >= maxDepth) throw failure(`it is nested more than ${maxDepth} times; compute it in steps`)
    this.#depth += 1
    const value = this.#chain()
    this.#depth -= 1
    if (this.#takes(")")) return value
    throw failure("a brace is not closed")
  }

  /** A name before a value is a function, before an assignment a variable that is set, else one that is read. */
  #named(name: string): Value {
    const next = this.#tokens[this.#at]
    const sign = this.#sign()
    if (sign !== undefined && assignment.test(sign)) return this.#assigned(name, sign)
    if (next !== undefined && (next.type !== "sign" || sign === "(")) {
      if (!Object.hasOwn(functions, name)) throw unknown(name, "function", Object.keys(functions))
      return functions[name]!(this.#expression(ofFunction))
    }
    const value = this.#variables.get(name)
    if (value === undefined) throw unknown(name, "variable", this.#variables.keys())
    return value
  }

  #assigned(name: string, sign: string): Value {
    this.#at += 1
    const given = this.#expression(ofAssignment)
    const before = this.#variables.get(name)
    if (sign !== "=" && before === undefined) throw unknown(name, "variable", this.#variables.keys())
    const value = sign === "=" ? given : compute(sign.slice(0, -1), before!, given)
    if (before !== undefined && before.type !== value.type)
      throw failure(`"${name}" holds a ${before.type} and cannot hold the ${value.type} ${quoted(value)}`)
    this.#variables.set(name, value)
    return empty
  }

  #sign(): string | undefined {
    const token = this.#tokens[this.#at]
    return token?.type === "sign" ? token.sign : undefined
  }

  #takes(sign: string): boolean {
    if (this.#sign() !== sign) return false
    this.#at += 1
    return true
  }
}

function wordsOf(token: Token): string {
  if (token.type === "value") return quoted(token.value)
  return `"${token.type === "name" ? token.name : token.sign}"`
}

function unknown(name: string, kind: "function" | "variable", known: Iterable<string>): Error {
  const [near] = nearestNames(name, known, 1)
  return failure(
    `there is no ${kind} "${name.slice(0, 60)}"${near === undefined ? "" : `; "${near}" has a name like it`}`,
  )
}

function negated(value: Value): Value {
  return value.type === "int" ? int(-value.value, `-(${value.value})`) : float(-numberOf(value))
}

function compute(sign: string, a: Value, b: Value): Value {
  switch (sign) {
    case "==":
      return boolean(equal(a, b))
    case "!=":
      return boolean(!equal(a, b))
    case "&&":
    case "||": {
      // Both sides are computed, as in evalexpr.
      const [left, right] = [booleanOf(a), booleanOf(b)]
      return boolean(sign === "&&" ? left && right : left || right)
    }
    case "^":
      return float(power(numberOf(a), numberOf(b)))
    case "<":
    case ">":
    case "<=":
    case ">=":
      return boolean(isOrdered(sign, a, b))
    default:
      return arithmetic(sign, a, b)
  }
}

function isOrdered(sign: string, a: Value, b: Value): boolean {
  const [left, right] = comparable(a, b)
  if (sign === "<") return left < right
  if (sign === ">") return left > right
  return sign === "<=" ? left <= right : left >= right
}

/** Two strings by their code points, two whole numbers exactly, and else two floats. */
function comparable(a: Value, b: Value): readonly [bigint | number, bigint | number] {
  if (a.type === "string" && b.type === "string") return [compareCodePoints(a.value, b.value), 0]
  if (a.type === "int" && b.type === "int") return [a.value, b.value]
  return [numberOf(a), numberOf(b)]
}

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue
    // The first unit that differs may be the second half of a character; both begin at the same place then.
    return a.codePointAt(at)! - b.codePointAt(at)!
  }
  return a.length - b.length
}

function arithmetic(sign: string, a: Value, b: Value): Value {
  if (sign === "+" && a.type === "string" && b.type === "string") return string(a.value + b.value)
  if (a.type === "int" && b.type === "int") return wholeArithmetic(sign, a.value, b.value)
  const [left, right] = [numberOf(a), numberOf(b)]
  if (sign === "+") return float(left + right)
  if (sign === "-") return float(left - right)
  if (sign === "*") return float(left * right)
  return float(sign === "/" ? left / right : left % right)
}

function wholeArithmetic(sign: string, a: bigint, b: bigint): Value {
  const words = `${a} ${sign} ${b}`
  if (sign === "+") return int(a + b, words)
  if (sign === "-") return int(a - b, words)
  if (sign === "*") return int(a * b, words)
  if (b === 0n) throw failure(`${words} divides by zero`)
  // The quotient does not fit for the smallest number and -1, and then the remainder is refused with it.
  const quotient = int(a / b, words)
  return sign === "/" ? quotient : int(a % b, words)
}
