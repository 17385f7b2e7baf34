import { bestEffort } from "./silent.js"

// More of a text that still streams in is not looked at: who draws it shows less than that.
const maxCharacters = 400_000
const maxDepth = 64

/**
 * What is already known of a JSON object that is still being written: complete members, and strings as far as they came.
 * Never throws; what is no JSON object gives an empty one.
 */
export function parsePartialJson(text: string): Readonly<Record<string, unknown>> {
  const value = new PartialReader(text.slice(0, maxCharacters)).read(0)
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

const wordAt = /[-+.\w]{1,400}/y

/** Reads as far as the text goes; `ended` says that it broke off, and then nothing more is read. */
class PartialReader {
  private at = 0
  private ended = false

  constructor(private readonly text: string) {}

  /** Undefined for what did not begin or cannot be known yet. */
  read(depth: number): unknown {
    this.skipBlanks()
    const character = this.text[this.at]
    if (character === undefined || depth > maxDepth) return this.end()
    if (character === "{") return this.readObject(depth)
    if (character === "[") return this.readArray(depth)
    if (character === '"') return this.readString()
    return this.readWord()
  }

  private readObject(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = []
    this.at += 1
    while (!this.ended && !this.closes("}")) {
      const key = this.text[this.at] === '"' ? this.readString() : this.end()
      this.skipBlanks()
      if (this.ended || this.text[this.at] !== ":") this.end()
      this.at += 1
      const value = this.ended ? undefined : this.read(depth + 1)
      if (value !== undefined) members.push([key as string, value])
      this.afterMember("}")
    }
    return Object.fromEntries(members)
  }

  private readArray(depth: number): unknown[] {
    const entries: unknown[] = []
    this.at += 1
    while (!this.ended && !this.closes("]")) {
      const value = this.read(depth + 1)
      if (value !== undefined) entries.push(value)
      this.afterMember("]")
    }
    return entries
  }

  private readString(): string {
    const start = this.at + 1
    let end = start
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1
    if (end >= this.text.length) {
      this.end()
      return decode(this.text.slice(start))
    }
    this.at = end + 1
    return decode(this.text.slice(start, end))
  }

  private readWord(): unknown {
    wordAt.lastIndex = this.at
    const [word] = wordAt.exec(this.text) ?? [""]
    this.at += word.length
    // A number that ends with the text may go on.
    if (word === "" || this.at >= this.text.length) this.end()
    const parsed = bestEffort("a word that is not whole yet is none", () => ({ value: JSON.parse(word) as unknown }))
    return parsed === undefined ? this.end() : parsed.value
  }

  private afterMember(closer: string): void {
    this.skipBlanks()
    if (this.text[this.at] === ",") this.at += 1
    else if (this.text[this.at] !== closer) this.end()
    this.skipBlanks()
  }

  private closes(closer: string): boolean {
    this.skipBlanks()
    if (this.at >= this.text.length) this.end()
    if (this.text[this.at] !== closer) return false
    this.at += 1
    return true
  }

  private skipBlanks(): void {
    while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at += 1
  }

  private end(): undefined {
    this.ended = true
    return undefined
  }
}

/** A string without its quotes; an escape that is not complete yet is left out. */
function decode(raw: string): string {
  for (const text of [raw, raw.replace(/\\(u[0-9a-fA-F]{0,3})?$/, "")]) {
    const escaped = text.replace(/[\u0000-\u001f]/g, (character) => `\\u${code(character)}`)
    const decoded = bestEffort("a string that is not whole may end in an escape", () => JSON.parse(`"${escaped}"`))
    if (typeof decoded === "string") return decoded
  }
  return ""
}

function code(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0")
}
