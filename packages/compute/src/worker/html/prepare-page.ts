import { limits } from "../../limits.js"
import { type Refusal, refuse } from "../refuse.js"

/** The source of a page, fit to be parsed. */
export interface PreparedPage {
  readonly html: string
  /** How many openings and endings the page had. */
  readonly tags: number
  readonly scripts: number
}

/**
 * The source without scripts, styles, drawings and comments, its tags counted, no deeper than the limit. Parsers take time
 * that grows with the square of the depth, and a tree takes a hundred times the memory of its source. One pass over the
 * source, no regular expression that could look back.
 */
export function preparePage(html: string): PreparedPage {
  if (html.length > limits.htmlLength) {
    throw refuse("too_large", `the page has more than ${limits.htmlLength} characters`)
  }
  const source = new PageSource(html)
  for (let at = html.indexOf("<"); at !== -1 && at < html.length; at = html.indexOf("<", at)) at = source.read(at)
  const prepared = withPlainLetters(source.kept())
  const weight = source.tags + countOf("&", prepared) * limits.htmlReferenceWeight
  if (weight > limits.htmlTags) throw tooManyTags()
  return { html: prepared, tags: source.tags, scripts: source.scripts }
}

/** What is kept of a source, and which elements are open at the place that is read. */
class PageSource {
  tags = 0
  scripts = 0
  private readonly html: string
  private readonly pieces: string[] = []
  private from = 0
  private readonly open: string[] = []
  // How many openings of each name were left out: their endings are left out too.
  private readonly flattened = new Map<string, number>()
  private drawingsEnd = true

  constructor(html: string) {
    this.html = html
  }

  kept(): string {
    return [...this.pieces, this.html.slice(this.from)].join("")
  }

  /** Reads what begins with the "<" at this place, and returns where to go on. */
  read(start: number): number {
    const { html } = this
    if (html.startsWith("<!--", start)) return this.leaveOut(start, behind(html, "-->", start + 2))
    const second = html.charCodeAt(start + 1)
    // Declarations say nothing, and the type of the document is in the way of a walk.
    if (second === 0x21 || second === 0x3f) return this.leaveOut(start, behind(html, ">", start))
    const isEnding = second === 0x2f
    const name = tagName(html, start + (isEnding ? 2 : 1))
    this.tags += 1
    if (this.tags > limits.htmlTags) throw tooManyTags()
    // No tag; parsers cut the text here all the same.
    if (name === "") return start + 1
    const end = tagEnd(html, start + name.length + 1)
    return isEnding ? this.readEnding(name, start, end) : this.readOpening(name, start, end)
  }

  private readEnding(name: string, start: number, end: number): number {
    const left = this.flattened.get(name) ?? 0
    if (left > 0) {
      this.flattened.set(name, left - 1)
      return this.leaveOut(start, end, " ")
    }
    const place = this.open.lastIndexOf(name)
    if (place !== -1) this.open.length = place
    if (this.open.length < limits.htmlDepth) this.flattened.clear()
    return end
  }

  private readOpening(name: string, start: number, end: number): number {
    if (name === "script" || name === "style") {
      if (name === "script") this.scripts += 1
      return this.leaveOut(start, rawTextEnd(this.html, name, end))
    }
    if (name === "svg") return this.leaveOut(start, this.drawingEnd(end))
    if (end - start > limits.htmlTagLength) this.leaveOut(start, end, `<${name}>`)
    if (voidNames.has(name)) return end
    if (name === "title" || name === "textarea") return rawTextEnd(this.html, name, end)
    this.openElement(name, start, end)
    return end
  }

  private openElement(name: string, start: number, end: number): void {
    const { open } = this
    // False where the opening was shortened already.
    const isWhole = this.from <= start
    const ended = impliedEnd(open, endedBy.get(name))
    if (ended !== -1) {
      if (isWhole) this.leaveOut(start, start, `</${open[ended]}>`)
      open.length = ended
    }
    if (open.length < limits.htmlDepth) open.push(name)
    else {
      this.flattened.set(name, (this.flattened.get(name) ?? 0) + 1)
      if (isWhole) this.leaveOut(start, end, " ")
    }
  }

  private leaveOut(start: number, end: number, instead = ""): number {
    this.pieces.push(this.html.slice(this.from, start), instead)
    this.from = end
    return end
  }

  /** A drawing without an end would be the rest of the page, and only its opening is left out. */
  private drawingEnd(from: number): number {
    const end = this.drawingsEnd ? drawingEnd(this.html, from) : -1
    if (end === -1) this.drawingsEnd = false
    return end === -1 ? from : end
  }
}

const voidNames = new Set(
  "area base basefont br col embed frame hr img input link meta param source track wbr".split(" "),
)

// Elements that end where the next of their kind begins. Parsers see it only where nothing else is open between them.
const endedBy = new Map<string, ReadonlySet<string>>([
  ...named("li", ["li"]),
  ...named("option", ["option"]),
  ...named("dt dd", ["dt", "dd"]),
  ...named("td th", ["td", "th"]),
  ...named("tr", ["tr", "td", "th"]),
  ...named("tbody tfoot thead", ["thead", "tbody"]),
  ...named("p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure", ["p"]),
  ...named("footer form header hr main nav ol pre section table ul", ["p"]),
])

function named(names: string, ended: readonly string[]): readonly (readonly [string, ReadonlySet<string>])[] {
  return names.split(" ").map((name) => [name, new Set(ended)])
}

const barriers = new Set(
  "html body table ul ol dl menu select template button caption object td th blockquote section article main aside".split(
    " ",
  ),
)

/** Which of the open elements an opening ends, the outermost of them. */
function impliedEnd(open: readonly string[], names: ReadonlySet<string> | undefined): number {
  let found = -1
  if (names === undefined) return found
  for (let at = open.length - 1; at >= 0; at -= 1) {
    const name = open[at] ?? ""
    if (names.has(name)) found = at
    else if (barriers.has(name)) break
  }
  return found
}

/**
 * Parsers cut the text at every character reference, and each piece becomes a part of the tree. Pages that write all of
 * their letters so are common enough; those below 160 are left alone, because markup and old habits are among them.
 */
function withPlainLetters(html: string): string {
  const references = /&(?:nbsp|#x([0-9a-f]{2,6})|#([0-9]{3,7}));/gi
  return html.replace(references, (reference: string, hex?: string, decimal?: string) => {
    if (hex === undefined && decimal === undefined) return reference === "&nbsp;" ? "\u00a0" : reference
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const isLetter = code >= 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isLetter ? String.fromCodePoint(code) : reference
  })
}

function countOf(sign: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1
  return count
}

function tooManyTags(): Refusal {
  const most = limits.htmlTags
  return refuse("too_large", `the page has more than ${most} tags and character references; ask for another page`)
}

const namePattern = /[A-Za-z][^\s/>]*/y

function tagName(html: string, at: number): string {
  namePattern.lastIndex = at
  const found = namePattern.exec(html)
  return found === null ? "" : found[0].toLowerCase()
}

/** Behind the ">" of a tag; one within a quoted value does not count. */
function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === 0x3e) return at + 1
    if (code !== 0x3d) continue
    while (/\s/.test(html.charAt(at + 1))) at += 1
    const quote = html.charAt(at + 1)
    if (quote !== '"' && quote !== "'") continue
    const end = html.indexOf(quote, at + 2)
    if (end === -1) return html.length
    at = end
  }
  return html.length
}

/** Behind the next such text, or the end of the page. */
function behind(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from)
  return found === -1 ? html.length : found + text.length
}

const rawEnds = { script: /<\/script/gi, style: /<\/style/gi, title: /<\/title/gi, textarea: /<\/textarea/gi }

function rawTextEnd(html: string, name: keyof typeof rawEnds, from: number): number {
  const pattern = rawEnds[name]
  pattern.lastIndex = from
  const found = pattern.exec(html)
  return found === null ? html.length : tagEnd(html, found.index + found[0].length)
}

function drawingEnd(html: string, from: number): number {
  const pattern = /<(\/?)svg(?=[\s/>])/gi
  pattern.lastIndex = from
  let depth = 1
  for (let found = pattern.exec(html); found !== null; found = pattern.exec(html)) {
    depth += found[1] === "" ? 1 : -1
    if (depth === 0) return tagEnd(html, found.index + 4)
  }
  return -1
}
