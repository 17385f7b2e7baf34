import { failure, float, int, string, type Value } from "./value.js"

/** A piece of an expression. */
export type Token =
  | { readonly type: "sign"; readonly sign: string }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "value"; readonly value: Value }

// Longest first. A single & or | means nothing.
const sign = /&&=|\|\|=|&&|\|\||==|!=|>=|<=|\+=|-=|\*=|\/=|%=|\^=|[-+*/%^(),;=!<>]/y
const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const literal = /[^\s+\-*/%^(),;=!<>&|"]+/y

/** The pieces of an expression; what is none is an error. */
export function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(expression)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  while (at < expression.length) {
    if (take(space) !== undefined) continue
    if (expression[at] === '"') {
      const { text, end } = stringAt(expression, at + 1)
      tokens.push({ type: "value", value: string(text) })
      at = end
      continue
    }
    const found = take(sign)
    if (found !== undefined) {
      tokens.push({ type: "sign", sign: found })
      continue
    }
    const word = take(literal)
    if (word === undefined) throw failure(`"${expression[at]}" means nothing alone; write it twice`)
    const number = scalarOf(word)
    if (number !== undefined) tokens.push({ type: "value", value: number })
    else {
      const scientific = /^\d[\d.]*e$/i.test(word) ? scientificAt(word, expression, at) : undefined
      if (scientific === undefined) tokens.push({ type: "name", name: word })
      else {
        tokens.push({ type: "value", value: float(Number(scientific)) })
        at += scientific.length - word.length
      }
    }
  }
  return tokens
}

function stringAt(expression: string, start: number): { readonly text: string; readonly end: number } {
  let text = ""
  for (let at = start; at < expression.length; at += 1) {
    const character = expression[at]!
    if (character === '"') return { text, end: at + 1 }
    if (character !== "\\") text += character
    else {
      at += 1
      const escaped = expression[at]
      if (escaped !== '"' && escaped !== "\\") throw failure(`"\\${escaped ?? ""}" is no escape; only \\" and \\\\ are`)
      text += escaped
    }
  }
  throw failure("a string is not closed; end it with a double quote")
}

/** A number or a truth value; undefined for a name. Whole numbers beyond 64 bits are floats. */
function scalarOf(word: string): Value | undefined {
  if (word === "true" || word === "false") return { type: "boolean", value: word === "true" }
  if (/^(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i.test(word)) {
    const value = BigInt(word.replace(/^0+(?=\d)/, ""))
    if (BigInt.asIntN(64, value) === value) return int(value, word)
    return /^\d/.test(word) && /^\d+$/.test(word) ? float(Number(word)) : undefined
  }
  if (/^(?:\d+\.?\d*|\.\d+)(?:e\d+)?$/i.test(word)) return float(Number(word))
  if (/^inf(?:inity)?$/i.test(word)) return float(Number.POSITIVE_INFINITY)
  return /^nan$/i.test(word) ? float(Number.NaN) : undefined
}

/** `1e-3`, whose sign would else be an operator. */
function scientificAt(word: string, expression: string, at: number): string | undefined {
  const rest = /^[+-]\d+(?![^\s+\-*/%^(),;=!<>&|"])/.exec(expression.slice(at, at + 12))?.[0]
  const number = rest === undefined ? undefined : word + rest
  return number !== undefined && /^(?:\d+\.?\d*)e[+-]\d+$/i.test(number) ? number : undefined
}
