/** How much a pattern leaves open, widest first. */
export type PatternClass = 0 | 1 | 2 | 3

/** No pattern at all, `*` or `**`. */
export const universal = 0
/** The end is open: `src/**`, `git push *`, `*.example.org`. */
export const openEnd = 1
/** The shape is fixed and has a wildcard: `**` before a name, a name with a star. */
export const fixedShape = 2
/** One value. */
export const exact = 3

/** The number that explanations print: the class in hundreds, then how many parts have no wildcard. */
export function numberOf(patternClass: PatternClass, fixed: number): number {
  return 100 * patternClass + Math.min(99, fixed)
}

/** Whether a pattern says nothing: absent, `*` and `**`. */
export function isUniversal(pattern: string | undefined): boolean {
  return pattern === undefined || pattern === "*" || pattern === "**"
}
