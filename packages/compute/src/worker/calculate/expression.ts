import type { Calculator, ExpressionNode } from "mathjs/lib/browser/math.js"
import { type Refusal, refuse } from "../refuse.js"

// What an expression may be made of; everything else is refused before it is evaluated.
const functionNames = new Set(
  [
    "abs add cbrt ceil cube divide exp expm1 fix floor gcd hypot invmod lcm log log10 log1p log2 mod multiply norm nthRoot",
    "pow round sign sqrt square subtract unaryMinus unaryPlus xgcd",
    "bitAnd bitNot bitOr bitXor leftShift rightArithShift rightLogShift bellNumbers catalan composition stirlingS2",
    "and not or xor cross det dot trace",
    "combinations combinationsWithRep factorial gamma lgamma multinomial permutations",
    "compare compareNatural compareText deepEqual equal equalText larger largerEq smaller smallerEq unequal",
    "max min mean median mode prod std sum variance mad quantileSeq cumsum count",
    "acos acosh acot acoth acsc acsch asec asech asin asinh atan atan2 atanh",
    "cos cosh cot coth csc csch sec sech sin sinh tan tanh",
    "erf zeta isInteger isNaN isNegative isNumeric isPositive isPrime isZero",
    "number string boolean bignumber format bin hex oct if",
  ].flatMap((names) => names.split(" ")),
)
const constants = new Set(
  "pi PI tau e E phi LN2 LN10 LOG2E LOG10E SQRT1_2 SQRT2 true false Infinity NaN i null undefined".split(" "),
)
const nodeTypes = new Set(
  "ArrayNode AssignmentNode BlockNode ConditionalNode ConstantNode OperatorNode ParenthesisNode RelationalNode SymbolNode FunctionNode".split(
    " ",
  ),
)

export function isFunctionName(name: string): boolean {
  return functionNames.has(name)
}

/** The expression as the library writes it: && || ! and ** are habits of other languages. Strings stay as they are. */
export function withLibrarySigns(expression: string): string {
  let written = ""
  let last = ""
  for (const [token] of expression.matchAll(tokens)) {
    // Behind a value the sign is a factorial, elsewhere it negates.
    const negates = token === "!" && !/^[\p{L}\p{N}_$)\]"'!%.]/u.test(last)
    written += negates ? " not " : (librarySigns.get(token) ?? token)
    if (token.trim() !== "") last = /^(?:and|or|xor|not|mod|to|in)$/.test(token) || negates ? "" : token
  }
  return written
}

const librarySigns = new Map([
  ["&&", " and "],
  ["||", " or "],
  ["**", "^"],
])

const tokens =
  /"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?|\s+|&&|\|\||\*\*|[!=<>]=|[\p{L}_$][\p{L}\p{N}_$]*|[\s\S]/gu

/** Names in functions are called, names elsewhere are values; nothing else can be named. */
export function checkExpression(math: Calculator, tree: ExpressionNode, known: readonly string[]): void {
  const names = new Set([...known, ...assignedNames(tree)])
  const waiting = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!nodeTypes.has(node.type)) throw notCalculable(wordsOf.get(node.type) ?? "it is no arithmetic expression")
    if (node.type === "FunctionNode") {
      const called = node.fn?.name
      if (node.fn?.type !== "SymbolNode" || called === undefined || !functionNames.has(called)) {
        throw notCalculable(`there is no function ${JSON.stringify(String(called))}`)
      }
      waiting.push(...(node.args ?? []))
      continue
    }
    if (node.type === "SymbolNode") checkName(math, node.name ?? "", names)
    node.forEach((child) => void waiting.push(child))
  }
}

function assignedNames(tree: ExpressionNode): readonly string[] {
  const names: string[] = []
  const waiting = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { type, object, index } = node
    if (type === "AssignmentNode" && object?.type === "SymbolNode" && index === null) names.push(object.name ?? "")
    node.forEach((child) => void waiting.push(child))
  }
  return names
}

function checkName(math: Calculator, name: string, known: ReadonlySet<string>): void {
  if (constants.has(name) || known.has(name)) return
  if (functionNames.has(name)) throw notCalculable("it is a function, not a value; call it with ( )")
  if (math.Unit.isValuelessUnit(name)) throw notCalculable(`it has a unit (${name}); leave units out`)
  throw notCalculable(`the name ${JSON.stringify(name)} has no value`)
}

const wordsOf = new Map([
  ["FunctionAssignmentNode", "it is a function, not a value"],
  ["RangeNode", "it is a range, not a value"],
  ["IndexNode", "it takes parts of a matrix"],
  ["AccessorNode", "it takes parts of a value"],
  ["ObjectNode", "it is an object, not a value"],
])

/** A refusal of the expression itself. */
export function notCalculable(reason: string): Refusal {
  return refuse("invalid_args", reason)
}
