// Long enough to recognise a pattern by; the caller has the whole of it.
const shownCharacters = 200

/** A value of the caller in quotes, shortened when it is long. */
export function quoted(value: string): string {
  if (value.length <= shownCharacters) return `"${value}"`
  // Not between the two halves of a pair.
  return `"${value.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, "")}..."`
}
