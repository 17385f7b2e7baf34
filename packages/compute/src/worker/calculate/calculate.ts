import type { CalculatedValue, CalculateRequest } from "@haft/contract"
import type { BigNumber, Calculator, ExpressionNode } from "mathjs/lib/browser/math.js"
import { limits } from "../../limits.js"
import { firstLine, messageOf, Refusal } from "../refuse.js"
import { checkExpression, isFunctionName, notCalculable, withLibrarySigns } from "./expression.js"

/** The value of an expression, or its derivative. */
export async function calculate(request: CalculateRequest): Promise<CalculatedValue> {
  const { expression } = request
  if (expression.trim() === "") throw notCalculable("it is empty")
  if (expression.length > limits.expressionLength) {
    throw notCalculable(`it is longer than ${limits.expressionLength} characters`)
  }
  calculators ??= createCalculators((await import("mathjs/lib/browser/math.js")).default)
  try {
    return request.operation === "evaluate"
      ? evaluate(calculators, request)
      : differentiate(calculators.machine, expression, request.variable)
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof RangeError) throw notCalculable("it is nested too deeply")
    throw notCalculable(firstLine(error))
  }
}

interface Calculators {
  readonly exact: Calculator
  readonly machine: Calculator
}

// Made by the first job of the thread, since it takes 50 ms, and kept for the others.
let calculators: Calculators | undefined

/** Decimal digits first, so that 0.1 + 0.2 is 0.3; the machine's numbers for the few functions that know no others. */
function createCalculators(mathjs: Calculator): Calculators {
  const exact = mathjs.create({ number: "BigNumber", precision: 64 })
  const machine = mathjs.create({ number: "number" })
  for (const math of [exact, machine]) {
    const texts = (work: (a: string, b: string) => string | boolean) => ({ "string, string": work })
    math.import(
      {
        add: math.typed(
          "add",
          texts((a, b) => a + b),
          math.add,
        ),
        equal: math.typed(
          "equal",
          texts((a, b) => a === b),
          math.equal,
        ),
        unequal: math.typed(
          "unequal",
          texts((a, b) => a !== b),
          math.unequal,
        ),
        if: (condition: unknown, yes: unknown, no: unknown) => (condition ? yes : no),
      },
      { override: true },
    )
  }
  return { exact, machine }
}

type Evaluation = Extract<CalculateRequest, { readonly operation: "evaluate" }>

function evaluate({ exact, machine }: Calculators, request: Evaluation): CalculatedValue {
  const { expression, variables = {}, precision } = request
  const written = withLibrarySigns(expression)
  const tree = exact.parse(written)
  checkExpression(exact, tree, Object.keys(variables))
  const names = Object.entries(variables)
  let value: unknown
  try {
    value = lastValue(tree, new Map(names.map(([name, number]) => [name, exact.bignumber(number)])))
  } catch (error) {
    if (!lacksExactNumbers.test(messageOf(error))) throw error
    value = lastValue(machine.parse(written), new Map(names))
  }
  return scalar(value, { precision, isExact: !/[\p{L}_]\s*\(|\b(?:pi|PI|tau)\b/u.test(expression) })
}

// What the library says of a function that knows only the machine's numbers.
const lacksExactNumbers =
  /Unexpected type of argument|No signature|Cannot implicitly convert|Integer BigNumber expected/

/** Of several expressions the last counts. */
function lastValue(tree: ExpressionNode, scope: Map<string, unknown>): unknown {
  const steps = tree.type === "BlockNode" ? (tree.blocks ?? []).map(({ node }) => node) : [tree]
  return steps.reduce<unknown>((_, step) => step.compile().evaluate(scope), undefined)
}

function differentiate(machine: Calculator, expression: string, variable: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(variable)) {
    throw notCalculable(`${JSON.stringify(variable)} is no name of a variable`)
  }
  const tree = machine.parse(withLibrarySigns(expression))
  const symbols = tree.filter(({ type }) => type === "SymbolNode")
  const names = symbols.flatMap(({ name }) => (name === undefined || isFunctionName(name) ? [] : [name]))
  checkExpression(machine, tree, names)
  return machine.derivative(tree, variable).toString()
}

interface Rounding {
  readonly precision: number | undefined
  readonly isExact: boolean
}

function scalar(value: unknown, { precision, isExact }: Rounding): CalculatedValue {
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "bigint") return fromDigits(String(value))
  if (typeof value === "number") {
    return finite(precision === undefined ? value : Number(value.toFixed(precision)), value)
  }
  if (value === undefined || value === null) throw notCalculable("it has no value")
  if (isBigNumber(value)) return fromBigNumber(value, { precision, isExact })
  if (isComplex(value) && value.im === 0) return finite(value.re, value.re)
  throw notCalculable(`its value is ${kindOf(value)}, not a number, text or truth value`)
}

function kindOf(value: object): string {
  if (isComplex(value)) return "a complex number"
  if ("isUnit" in value) return "a value with a unit"
  return typeof value === "function" ? "a function" : "a matrix or list"
}

function isBigNumber(value: object): value is BigNumber {
  return "isBigNumber" in value && value.isBigNumber === true
}

function isComplex(value: object): value is { readonly re: number; readonly im: number } {
  return "isComplex" in value && value.isComplex === true
}

function fromBigNumber(value: BigNumber, { precision, isExact }: Rounding): number | string {
  if (!value.isFinite()) return finite(value.toNumber(), value.toNumber())
  // What is left of digits that cancel each other, for instance in sin(pi).
  if (!isExact && value.abs().lt("1e-60")) return 0
  const rounded = precision === undefined ? value : value.toDecimalPlaces(precision)
  if (rounded.isInteger() && rounded.precision(true) <= 64) return fromDigits(rounded.toFixed(0))
  return finite(rounded.toNumber(), rounded.toNumber())
}

/** Whole numbers that the machine's numbers cannot hold stay exact, as text. */
function fromDigits(digits: string): number | string {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number + 0 : digits
}

function finite(number: number, whole: number): number {
  if (Number.isNaN(whole)) throw notCalculable("its value is not a number")
  if (!Number.isFinite(number)) {
    throw notCalculable("its value is infinite or too large; check divisions by zero and powers")
  }
  return number === 0 ? 0 : number
}
