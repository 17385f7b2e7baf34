/** The job `calculate`: the value of an expression, or its derivative. */
export const calculateSource = String.raw`
let calculators

async function calculate({ operation, expression, variable, variables = {}, precision }) {
  if (expression.trim() === "") throw notCalculable("it is empty")
  if (expression.length > limits.expressionLength) throw notCalculable("it is longer than " + limits.expressionLength + " characters")
  calculators ??= createCalculators(await load("mathjs"))
  try {
    const value = operation === "evaluate" ? evaluate(expression, variables, precision) : differentiate(expression, variable)
    return { value }
  } catch (error) {
    if (error.reason) throw error
    if (error instanceof RangeError) throw notCalculable("it is nested too deeply")
    throw notCalculable(String(error.message).split("\n")[0])
  }
}

/** Decimal digits first, so that 0.1 + 0.2 is 0.3; the machine's numbers for the few functions that know no others. */
function createCalculators(mathjs) {
  const exact = mathjs.create({ number: "BigNumber", precision: 64 })
  const machine = mathjs.create({ number: "number" })
  for (const math of [exact, machine]) {
    const texts = (compare) => ({ "string, string": compare })
    math.import(
      {
        add: math.typed("add", texts((a, b) => a + b), math.add),
        equal: math.typed("equal", texts((a, b) => a === b), math.equal),
        unequal: math.typed("unequal", texts((a, b) => a !== b), math.unequal),
        if: (condition, yes, no) => (condition ? yes : no),
      },
      { override: true },
    )
  }
  return { exact, machine }
}

function evaluate(expression, variables, precision) {
  const { exact, machine } = calculators
  const written = withLibrarySigns(expression)
  const tree = exact.parse(written)
  checkExpression(exact, tree, Object.keys(variables))
  let value
  try {
    value = valueOf(exact, tree, variables)
  } catch (error) {
    // The library's word for a function that lacks exact numbers.
    if (!/Unexpected type of argument|No signature|Cannot implicitly convert|Integer BigNumber expected/.test(error.message)) throw error
    value = valueOf(machine, machine.parse(written), variables)
  }
  return scalar(value, { precision, isExact: !/[\p{L}_]\s*\(|\b(?:pi|PI|tau)\b/u.test(expression) })
}

/** Of several expressions the last counts. */
function valueOf(math, tree, variables) {
  const scope = new Map(Object.entries(variables).map(([name, value]) => [name, math === calculators.exact ? math.bignumber(value) : value]))
  const steps = tree.type === "BlockNode" ? tree.blocks.map(({ node }) => node) : [tree]
  return steps.reduce((_, step) => step.compile().evaluate(scope), undefined)
}

function differentiate(expression, variable) {
  const { machine } = calculators
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(variable)) throw notCalculable(JSON.stringify(variable) + " is no name of a variable")
  const tree = machine.parse(withLibrarySigns(expression))
  const names = tree.filter((node) => node.isSymbolNode).map((node) => node.name)
  checkExpression(machine, tree, names.filter((name) => !calculatorFunctions.has(name)))
  return machine.derivative(tree, variable).toString()
}

function scalar(value, { precision, isExact }) {
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "bigint") return fromDigits(String(value))
  if (typeof value === "number") return finite(precision === undefined ? value : Number(value.toFixed(precision)), value)
  if (value === undefined || value === null) throw notCalculable("it has no value")
  if (value.isBigNumber) return fromBigNumber(value, { precision, isExact })
  if (value.isComplex && value.im === 0) return finite(value.re, value.re)
  const kind = value.isComplex ? "a complex number" : value.isUnit ? "a value with a unit" : typeof value === "function" ? "a function" : "a matrix or list"
  throw notCalculable("its value is " + kind + ", not a number, text or truth value")
}

function fromBigNumber(value, { precision, isExact }) {
  if (!value.isFinite()) return finite(value.toNumber(), value.toNumber())
  // What is left of digits that cancel each other, for instance in sin(pi).
  if (!isExact && value.abs().lt("1e-60")) return 0
  const rounded = precision === undefined ? value : value.toDecimalPlaces(precision)
  if (rounded.isInteger() && rounded.precision(true) <= 64) return fromDigits(rounded.toFixed(0))
  return finite(rounded.toNumber(), rounded.toNumber())
}

/** Whole numbers that the machine's numbers cannot hold stay exact, as text. */
function fromDigits(digits) {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number + 0 : digits
}

function finite(number, whole) {
  if (Number.isNaN(whole)) throw notCalculable("its value is not a number")
  if (!Number.isFinite(number)) throw notCalculable("its value is infinite or too large; check divisions by zero and powers")
  return number === 0 ? 0 : number
}
`
