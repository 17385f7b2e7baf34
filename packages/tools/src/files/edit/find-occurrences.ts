/** Counting stops here: with so many occurrences the exact number does not matter. */
export const countedOccurrences = 1_000

/** Places of a text. With `overlapping` places may share characters, as they do when asking whether a text is unique. */
export function findOccurrences(
  content: string,
  wanted: string,
  options: { readonly overlapping: boolean; readonly accepts?: (end: number) => boolean },
): number[] {
  const { overlapping, accepts = () => true } = options
  const places: number[] = []
  const step = overlapping ? 1 : wanted.length
  let at = content.indexOf(wanted)
  while (at !== -1 && !(overlapping && places.length === countedOccurrences)) {
    const accepted = accepts(at + wanted.length)
    if (accepted) places.push(at)
    at = content.indexOf(wanted, at + (accepted ? step : 1))
  }
  return places
}
