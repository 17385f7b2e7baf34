import { assignedKind, assignment, looksRandom, type SecretShape, secretShapes } from "./secret-shapes.js"

/** Where a secret stands in a text. */
export interface SecretPlace {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Every kind that a place can have. */
export const secretKinds: readonly string[] = [
  ...new Set([...secretShapes.map((shape) => shape.kind), "password", "secret", "token", "key", "authorization"]),
]

/** Finds everything shaped like a secret; the places are in order and do not overlap. */
export function secretPlaces(text: string): readonly SecretPlace[] {
  const found = [...secretShapes.flatMap((shape) => placesOf(shape, text)), ...assignedPlaces(text)]
  return joined(found.sort((a, b) => a.start - b.start || b.end - a.end))
}

function placesOf(shape: SecretShape, text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = []
  for (const match of text.matchAll(shape.pattern)) {
    const value = match[2]!
    const start = match.index + match[1]!.length
    if (shape.accept?.(value) ?? true) places.push({ start, end: start + value.length, kind: shape.kind })
  }
  return places
}

function assignedPlaces(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = []
  for (const match of text.matchAll(assignment)) {
    const value = match[3] ?? match[4]!
    const end = match.index + match[0].length
    if (looksRandom(value)) places.push({ start: end - value.length, end, kind: assignedKind(match[1]!)! })
  }
  return places
}

/** Overlapping places become one, so that no part of either stays readable. */
function joined(places: readonly SecretPlace[]): readonly SecretPlace[] {
  const result: SecretPlace[] = []
  for (const place of places) {
    const last = result.at(-1)
    if (!last || place.start >= last.end) result.push(place)
    else if (place.end > last.end) result[result.length - 1] = { ...last, end: place.end }
  }
  return result
}
