import { createHmac } from "node:crypto"
import { assignedKind, assignment, looksRandom, type SecretShape, secretShapes } from "./secret-shapes.js"

/** A secret whose value is known beforehand, for instance from an environment variable. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/**
 * Gives back the same text or JSON value with every known secret and everything shaped like a secret replaced by
 * `[secret:kind:hmac8]`. Applying it twice changes nothing more.
 */
export interface Redactor {
  <Value>(value: Value): Value
  /** False only when redacting the value behind this JSON text would change nothing; a quick look, not a search. */
  readonly suspects?: (json: string) => boolean
}

/** JSON nested deeper than this is cut: neither the redactor nor the journal may run out of stack on hostile input. */
export const maxJsonDepth = 400

/** Makes a redactor. The key turns equal secrets into equal marks without telling what they are. */
export function createRedactor(options: RedactorOptions): Redactor {
  const redaction = new Redaction(options)
  return Object.assign(<Value>(value: Value): Value => redaction.value(value, 0) as Value, {
    suspects: (json: string) => redaction.suspects(json),
  })
}

interface RedactorOptions {
  readonly key: Buffer | Uint8Array
  readonly known?: readonly KnownSecret[]
}

class Redaction {
  private readonly key: Buffer | Uint8Array
  private readonly needles: readonly Needle[]
  private readonly escapedNeedles: readonly string[]
  private readonly marks: RegExp
  private readonly allMarks: RegExp

  constructor({ key, known = [] }: RedactorOptions) {
    this.key = key
    this.needles = known.flatMap(needlesOf).sort((a, b) => b.text.length - a.text.length)
    this.escapedNeedles = this.needles.map((needle) => JSON.stringify(needle.text).slice(1, -1))
    const kinds = [...new Set([...secretKinds, ...this.needles.map((needle) => needle.kind)])]
    this.marks = new RegExp(`(\\[secret:(?:${kinds.join("|")}):[0-9a-f]{8}\\])`)
    this.allMarks = new RegExp(this.marks, "g")
  }

  suspects(json: string): boolean {
    return this.escapedNeedles.some((needle) => json.includes(needle)) || suspects(json)
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.text(value)
    if (typeof value !== "object" || value === null) return value
    if (depth >= maxJsonDepth) return "[nested too deep to keep]"
    if (Array.isArray(value)) return keepIfSame(value, (item) => this.value(item, depth + 1))
    return this.object(value as Readonly<Record<string, unknown>>, depth)
  }

  private object(value: Readonly<Record<string, unknown>>, depth: number): unknown {
    let changed = false
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      const redactedKey = this.text(key)
      // A mark in the key says "secret" itself and must not be taken for a telling name.
      const redactedItem = this.member(redactedKey.replace(this.allMarks, ""), item, depth)
      changed ||= redactedKey !== key || redactedItem !== item
      return [redactedKey, redactedItem]
    })
    // fromEntries defines properties, so that a key named __proto__ stays an ordinary key.
    return changed ? Object.fromEntries(entries) : value
  }

  /** `{"password": "..."}` is an assignment whose two halves are different strings. */
  private member(name: string, item: unknown, depth: number): unknown {
    if (typeof item !== "string") return this.value(item, depth + 1)
    const isMarked = this.marks.test(item)
    if (/^(?:set-)?cookie$/i.test(name) && item.includes("=") && !isMarked) return this.mark("cookie", item)
    const kind = assignedKind(name)
    const whole = kind !== undefined && !/\s/.test(item) && !isMarked && looksRandom(item)
    return whole ? this.mark(kind, item) : this.text(item)
  }

  private text(text: string): string {
    if (text.length < shortestSecret) return text
    const known = this.needles.filter((needle) => text.includes(needle.text))
    if (known.length === 0 && !suspects(text)) return text
    const withoutKnown = known.length === 0 ? text : this.outsideMarks(text, (piece) => this.hideKnown(piece, known))
    return this.outsideMarks(withoutKnown, (piece) => this.hide(piece, secretPlaces(piece)))
  }

  private outsideMarks(text: string, change: (piece: string) => string): string {
    // A split with one group puts the marks at the odd places.
    return text
      .split(this.marks)
      .map((piece, index) => (index % 2 === 0 ? change(piece) : piece))
      .join("")
  }

  private hideKnown(piece: string, known: readonly Needle[]): string {
    const [needle, ...rest] = known
    if (!needle || piece === "") return piece
    return piece
      .split(needle.text)
      .map((between) => this.hideKnown(between, rest))
      .join(this.mark(needle.kind, needle.secret))
  }

  private hide(piece: string, places: readonly SecretPlace[]): string {
    let result = ""
    let from = 0
    for (const place of places) {
      result += piece.slice(from, place.start) + this.mark(place.kind, piece.slice(place.start, place.end))
      from = place.end
    }
    return from === 0 ? piece : result + piece.slice(from)
  }

  private mark(kind: string, secret: string): string {
    return `[secret:${kind}:${createHmac("sha256", this.key).update(secret).digest("hex").slice(0, 8)}]`
  }
}

// Shorter values cannot be distinguished from ordinary words, neither as known secrets nor by shape.
const shortestSecret = 6

interface Needle {
  readonly text: string
  readonly kind: string
  readonly secret: string
}

/** The spellings in which a known secret turns up: bare, inside JSON, inside a URL, in base64. */
function needlesOf(known: KnownSecret): readonly Needle[] {
  if (known.value.length < shortestSecret) return []
  const kind =
    known.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "known"
  const bytes = Buffer.from(known.value)
  const base64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64")
  const spellings = [known.value, JSON.stringify(known.value).slice(1, -1), urlEncoded(known.value)]
  if (base64.length >= 8) spellings.push(base64)
  return [...new Set(spellings)].map((text) => ({ text, kind, secret: known.value }))
}

function urlEncoded(value: string): string {
  // A lone surrogate cannot be written in a URL.
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

function keepIfSame(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed = false
  const result = items.map((item) => {
    const next = change(item)
    changed ||= next !== item
    return next
  })
  return changed ? result : items
}

/**
 * A quick look at a text, or at the JSON form of a value: false only when no shape can be in it.
 * JSON escapes put letters in front of what follows (`\n` before a token), so no test here asks for a boundary.
 */
export function suspects(text: string): boolean {
  return (
    names.test(text.toLowerCase()) ||
    afterSeparator.test(text) ||
    rareStarts.test(text) ||
    text.includes("PRIVATE KEY") ||
    (text.includes("@") && urlCredentials.test(text))
  )
}

// Every text of every record passes here, so each pattern starts with what is rare and lets the engine skip ahead.

// A key by itself is no telling name, nor is a number of tokens; records of turns have both (bench: durable-turn).
const names =
  /assw|assp|secret|token(?!\w{0,24}":\d{1,15}[,}])|thoriz|bearer|cookie|key(?<=(?:api|access|private|encryption|signing|master|account|storage|ssh|auth)[_-]?key)/
// Tokens whose prefix ends with _ or -: only there it is worth looking back.
const afterSeparator =
  /(?:[pousrtmce]_|[a-z]-|X-)(?<=gh[pousr]_|github_pat_|npm_|whsec_|k_live_|k_test_|gl[a-z]{2,6}-|xox[a-z]-|xapp-|sk-|GOCSPX-)[\w-]{15}/
const rareStarts = /A(?:[KSB]IA|CCA|Iza)|eyJ|ya29\.|slack\.com/
const urlCredentials = /:\/\/[^\s:@/]*:[^\s/]*@/

/** The place of a secret in a text. */
interface SecretPlace {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Every kind that a place can have. */
const secretKinds: readonly string[] = [
  ...new Set([...secretShapes.map((shape) => shape.kind), "password", "secret", "token", "key", "authorization"]),
]

/** Finds everything shaped like a secret; the places are in order and do not overlap. */
function secretPlaces(text: string): readonly SecretPlace[] {
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
