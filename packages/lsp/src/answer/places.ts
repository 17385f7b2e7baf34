import { type FileReader, type LanguageItem, ToolError } from "@haft/contract"
import { countOf, listOf, pathOfUri, recordOf } from "../wire/values.js"
import type { JudgePath } from "./asking.js"
import { linesOf, readDocument } from "./document.js"

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

/** Places as they are shown, and how many were not. */
export interface Shown {
  readonly items: readonly LanguageItem[]
  readonly denied: number
}

/** How places are judged and read. */
export interface ShowOptions {
  readonly files: Pick<FileReader, "open" | "display">
  readonly admits: JudgePath
}

// Lines of this many files are read for their words; the places in further files are shown without.
const maxFilesRead = 200
const maxLineCharacters = 300

/** Shows each place with its line, as the file is now. Places that the call may not read are counted, not named. */
export async function showPlaces(places: readonly Place[], { files, admits }: ShowOptions): Promise<Shown> {
  const byPath = groupOf(places)
  const items: LanguageItem[] = []
  let denied = 0
  let filesRead = 0
  for (const [path, inFile] of byPath) {
    const lines = (await admits(path)) ? await linesIn(path, filesRead < maxFilesRead ? files : undefined) : undefined
    filesRead += 1
    if (!lines) {
      denied += inFile.length
      continue
    }
    const shown = files.display(path)
    for (const { line, character } of inFile) {
      const text = (lines[line] ?? "").trim().slice(0, maxLineCharacters)
      items.push({ path: shown, line: line + 1, character: character + 1, text })
    }
  }
  return { items, denied }
}

function groupOf(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const group = groups.get(place.path)
    if (group) group.push(place)
    else groups.set(place.path, [place])
  }
  return groups
}

/** The lines of a file; none where it cannot be read as text, undefined where it may not be. */
async function linesIn(
  path: string,
  files: Pick<FileReader, "open"> | undefined,
): Promise<readonly string[] | undefined> {
  if (!files) return []
  try {
    return linesOf((await readDocument(files, path)).text)
  } catch (error) {
    if (ToolError.is(error) && error.code === "denied") return undefined
    if (ToolError.is(error) && error.code !== "cancelled") return []
    throw error
  }
}
