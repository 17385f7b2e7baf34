/**
 * The place behind a bracket expression that begins at `at`; undefined where versions of awk and sed disagree about its
 * end, as they do about `[]a]`, `[^]a]` and `[\]a]`.
 */
export function endOfBracket(text: string, at: number): number | undefined {
  clear.lastIndex = at
  const found = clear.exec(text)
  return found ? at + found[0].length : undefined
}

const clear = /\[(?!\^?\])\^?(?:\[:\w+:\]|\\[^\][\n]|[^\][\\\n])+\]/y
