/** Bounds that keep the search quick in files and texts of any size. */
const maxWords = 24
const maxPlacesPerWord = 48
const maxScannedUnits = 24_000_000
const maxAskedUnits = 65_536

/**
 * About where in the content a similar text begins; undefined when they share no word.
 * Every rare word that both share votes for the beginning that it implies.
 */
export function locateSimilar(content: string, asked: string): number | undefined {
  const votes: { readonly start: number; readonly weight: number }[] = []
  let scanned = 0
  for (const { word, offset } of tellingWords(asked.slice(0, maxAskedUnits))) {
    const places: number[] = []
    let from = 0
    while (places.length < maxPlacesPerWord && scanned < maxScannedUnits) {
      const at = content.indexOf(word, from)
      scanned += (at === -1 ? content.length : at) - from
      if (at === -1) break
      places.push(at)
      from = at + word.length
    }
    for (const place of places) votes.push({ start: place - offset, weight: word.length / places.length })
    if (scanned >= maxScannedUnits) break
  }
  return densest(votes, Math.max(120, Math.min(asked.length, maxAskedUnits) / 4))
}

/** The longest words of a text, each once, with its first place; signs where there are no words. */
function tellingWords(text: string): readonly { readonly word: string; readonly offset: number }[] {
  const words = new Map<string, number>()
  for (const match of text.matchAll(/[\p{L}\p{N}_]{3,64}/gu)) {
    if (!words.has(match[0])) words.set(match[0], match.index)
  }
  if (words.size === 0) for (const match of text.matchAll(/\S{1,64}/g)) words.set(match[0], match.index)
  return [...words]
    .map(([word, offset]) => ({ word, offset }))
    .sort((left, right) => right.word.length - left.word.length)
    .slice(0, maxWords)
}

/** The middle of the stretch of this length that holds most of the votes. */
function densest(votes: { readonly start: number; readonly weight: number }[], stretch: number): number | undefined {
  votes.sort((left, right) => left.start - right.start)
  let best: { readonly start: number; readonly weight: number } | undefined
  let weight = 0
  let first = 0
  for (const vote of votes) {
    weight += vote.weight
    while (vote.start - votes[first]!.start > stretch) weight -= votes[first++]!.weight
    if (best === undefined || weight > best.weight + 1e-9) {
      best = { start: (votes[first]!.start + vote.start) / 2, weight }
    }
  }
  return best === undefined ? undefined : Math.max(0, Math.round(best.start))
}
