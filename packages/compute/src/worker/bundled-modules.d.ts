// Modules that only the bundle of the worker has: scripts/bundle-worker.mjs says where they come from.

/**
 * `command/analyze-bash.ts` of the guard. The host does not import the guard, because ports do not know who judges them. It
 * lends the guard a thread, and the build puts the code of the guard into it.
 */
declare module "haft-command-analysis" {
  export function analyzeBash(text: string, place: import("@haft/contract").CommandPlace): unknown
}

/** mathjs in one file: its thousand modules would take more than a second to load or to bundle. */
declare module "mathjs/lib/browser/math.js" {
  /** The part of the library that the calculator uses. */
  export interface Calculator {
    create(settings: { readonly number: "BigNumber" | "number"; readonly precision?: number }): Calculator
    import(functions: Readonly<Record<string, unknown>>, options: { readonly override: boolean }): void
    typed(name: string, signatures: Readonly<Record<string, unknown>>, ...more: readonly unknown[]): unknown
    readonly add: unknown
    readonly equal: unknown
    readonly unequal: unknown
    readonly Unit: { isValuelessUnit(name: string): boolean }
    parse(expression: string): ExpressionNode
    bignumber(value: number): BigNumber
    derivative(expression: ExpressionNode, variable: string): { toString(): string }
  }

  /** A node of a parsed expression; which of the parts it has depends on its type. */
  export interface ExpressionNode {
    readonly type: string
    readonly name?: string
    /** Of an assignment. */
    readonly object?: ExpressionNode
    readonly index?: ExpressionNode | null
    /** Of a call. */
    readonly fn?: ExpressionNode
    readonly args?: readonly ExpressionNode[]
    /** Of several expressions. */
    readonly blocks?: readonly { readonly node: ExpressionNode }[]
    forEach(visit: (child: ExpressionNode) => void): void
    filter(keep: (node: ExpressionNode) => boolean): readonly ExpressionNode[]
    compile(): { evaluate(scope: Map<string, unknown>): unknown }
  }

  export interface BigNumber {
    readonly isBigNumber: true
    isFinite(): boolean
    isInteger(): boolean
    abs(): BigNumber
    lt(other: string): boolean
    precision(withZeros: boolean): number
    toDecimalPlaces(places: number): BigNumber
    toFixed(places: number): string
    toNumber(): number
  }

  const math: Calculator
  export default math
}
