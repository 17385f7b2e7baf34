import { countOf, listOf, recordOf } from "../wire/shape.js"
import { pathOfUri } from "../wire/file-uri.js"

/** A place that a server named; line and character count from 0. */
export interface Place {
  readonly path: string
  readonly line: number
  readonly character: number
}

/** The places of an answer. */
export interface Places {
  readonly places: readonly Place[]
  /** Places that are no files, for instance in libraries that the server carries inside itself. */
  readonly elsewhere: number
}

// References to a name that is everywhere; more than anybody reads.
const maxPlaces = 5000

/** The places in an answer that may be one location, several, or links to them; sorted, each once. */
export function placesOf(answer: unknown): Places {
  const locations = Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer]
  const found = new Map<string, Place>()
  let elsewhere = 0
  for (const location of listOf(locations).slice(0, maxPlaces)) {
    const place = placeOf(location)
    if (place) found.set(`${place.line}:${place.character}:${place.path}`, place)
    else elsewhere += 1
  }
  return { places: [...found.values()].sort(inOrder), elsewhere }
}

/** One location or link to one; undefined when it is no file. */
export function placeOf(value: unknown): Place | undefined {
  const location = recordOf(value)
  const path = pathOfUri(location?.targetUri ?? location?.uri)
  if (path === undefined) return undefined
  const range = recordOf(location?.targetSelectionRange ?? location?.targetRange ?? location?.range)
  return { path, ...startOf(range) }
}

/** Where a range starts; the beginning of the file when it does not say. */
export function startOf(range: unknown): Pick<Place, "line" | "character"> {
  const start = recordOf(recordOf(range)?.start)
  return { line: countOf(start?.line) ?? 0, character: countOf(start?.character) ?? 0 }
}

function inOrder(a: Place, b: Place): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.character - b.character
}
