/** What an expression may be made of: everything else is refused before it is evaluated. */
export const expressionSource = String.raw`
const calculatorFunctions = new Set((
  "abs add cbrt ceil cube divide exp expm1 fix floor gcd hypot invmod lcm log log10 log1p log2 mod multiply norm nthRoot pow round sign sqrt square subtract unaryMinus unaryPlus xgcd " +
  "bitAnd bitNot bitOr bitXor leftShift rightArithShift rightLogShift bellNumbers catalan composition stirlingS2 and not or xor " +
  "cross det dot trace combinations combinationsWithRep factorial gamma lgamma multinomial permutations compare compareNatural compareText deepEqual equal equalText larger largerEq smaller smallerEq unequal " +
  "max min mean median mode prod std sum variance mad quantileSeq cumsum count acos acosh acot acoth acsc acsch asec asech asin asinh atan atan2 atanh cos cosh cot coth csc csch sec sech sin sinh tan tanh " +
  "erf zeta isInteger isNaN isNegative isNumeric isPositive isPrime isZero number string boolean bignumber format bin hex oct if"
).split(" "))
const calculatorConstants = new Set(["pi", "PI", "tau", "e", "E", "phi", "LN2", "LN10", "LOG2E", "LOG10E", "SQRT1_2", "SQRT2", "true", "false", "Infinity", "NaN", "i", "null", "undefined"])
const calculatorNodes = new Set(["ArrayNode", "AssignmentNode", "BlockNode", "ConditionalNode", "ConstantNode", "OperatorNode", "ParenthesisNode", "RelationalNode", "SymbolNode", "FunctionNode"])

/** The expression as the library writes it: && || ! and ** are habits of other languages. Strings stay as they are. */
function withLibrarySigns(expression) {
  let written = ""
  let last = ""
  for (const [token] of expression.matchAll(/"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|\s+|&&|\|\||\*\*|[!=<>]=|[\p{L}_$][\p{L}\p{N}_$]*|[^]/gu)) {
    // Behind a value the sign is a factorial, elsewhere it negates.
    const negates = token === "!" && !/^[\p{L}\p{N}_$)\]"'!%.]/u.test(last)
    written += token === "&&" ? " and " : token === "||" ? " or " : token === "**" ? "^" : negates ? " not " : token
    if (token.trim() !== "") last = /^(?:and|or|xor|not|mod|to|in)$/.test(token) || negates ? "" : token
  }
  return written
}

/** Names in functions are called, names elsewhere are values; nothing else can be named. */
function checkExpression(math, tree, known) {
  const assigned = new Set(known)
  const waiting = [tree]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (node.type === "AssignmentNode" && node.object.type === "SymbolNode" && node.index === null) assigned.add(node.object.name)
    node.forEach((child) => void waiting.push(child))
  }
  waiting.push(tree)
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (!calculatorNodes.has(node.type)) throw notCalculable(nodeWords[node.type] ?? "it is no arithmetic expression")
    if (node.type === "FunctionNode") {
      const name = node.fn.name
      if (node.fn.type !== "SymbolNode" || !calculatorFunctions.has(name)) throw notCalculable("there is no function " + JSON.stringify(String(name)))
      waiting.push(...node.args)
      continue
    }
    if (node.type === "SymbolNode") checkName(math, node.name, assigned)
    node.forEach((child) => void waiting.push(child))
  }
}

function checkName(math, name, assigned) {
  if (calculatorConstants.has(name) || assigned.has(name)) return
  if (calculatorFunctions.has(name)) throw notCalculable("it is a function, not a value; call it with ( )")
  if (math.Unit.isValuelessUnit(name)) throw notCalculable("it has a unit (" + name + "); leave units out")
  throw notCalculable("the name " + JSON.stringify(name) + " has no value")
}

const nodeWords = {
  FunctionAssignmentNode: "it is a function, not a value",
  RangeNode: "it is a range, not a value",
  IndexNode: "it takes parts of a matrix",
  AccessorNode: "it takes parts of a value",
  ObjectNode: "it is an object, not a value",
}

function notCalculable(reason) {
  return refuse("invalid_args", reason)
}
`
