/** Every place where one list occurs inside another, overlapping ones included. Linear in the length of both. */
export function findSequence<Item>(haystack: readonly Item[], needle: readonly Item[]): readonly number[] {
  if (needle.length === 0) return []
  const fallback = fallbacksOf(needle)
  const places: number[] = []
  let matched = 0
  for (const [index, item] of haystack.entries()) {
    while (matched > 0 && needle[matched] !== item) matched = fallback[matched - 1]!
    if (needle[matched] === item) matched += 1
    if (matched < needle.length) continue
    places.push(index - needle.length + 1)
    matched = fallback[matched - 1]!
  }
  return places
}

/** Knuth, Morris and Pratt: for each beginning the length of its longest proper beginning that also ends it. */
function fallbacksOf<Item>(needle: readonly Item[]): readonly number[] {
  const fallback = [0]
  let matched = 0
  for (let index = 1; index < needle.length; index += 1) {
    while (matched > 0 && needle[matched] !== needle[index]) matched = fallback[matched - 1]!
    if (needle[matched] === needle[index]) matched += 1
    fallback.push(matched)
  }
  return fallback
}
