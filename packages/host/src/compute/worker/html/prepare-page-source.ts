/**
 * Makes a page fit to be parsed: parsers take time that grows with the square of the depth, and a tree takes a hundred
 * times the memory of its source. One pass over the source, no regular expression that could look back.
 */
export const preparePageSource = String.raw`
const voidNames = new Set(["area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
// Elements that end where the next of their kind begins. Parsers see it only where nothing else is open between them.
const endedBy = new Map([
  ...["li", "option"].map((name) => [name, new Set([name])]),
  ...["dt", "dd"].map((name) => [name, new Set(["dt", "dd"])]),
  ...["td", "th"].map((name) => [name, new Set(["td", "th"])]),
  ["tr", new Set(["tr", "td", "th"])],
  ...["tbody", "tfoot", "thead"].map((name) => [name, new Set(["thead", "tbody"])]),
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "main", "nav", "ol", "pre", "section", "table", "ul",
  ].map((name) => [name, new Set(["p"])]),
])

const barriers = new Set(["html", "body", "table", "ul", "ol", "dl", "menu", "select", "template", "button", "caption", "object", "td", "th", "blockquote", "section", "article", "main", "aside"])

/** The source without scripts, styles, drawings and comments, its tags counted, no deeper than the limit. */
function preparePage(html) {
  if (html.length > limits.htmlLength) throw refuse("too_large", "the page has more than " + limits.htmlLength + " characters")
  const kept = []
  const open = []
  // How many openings of each name were left out: their endings are left out too.
  const flattened = new Map()
  let from = 0
  let tags = 0
  let scripts = 0
  let svgEnds = true
  const cut = (start, end, instead = "") => {
    kept.push(html.slice(from, start), instead)
    from = end
  }
  for (let at = html.indexOf("<"); at !== -1 && at < html.length; at = html.indexOf("<", at)) {
    const start = at
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 2)
      at = end === -1 ? html.length : end + 3
      cut(start, at)
      continue
    }
    const second = html.charCodeAt(at + 1)
    if (second === 0x21 || second === 0x3f) {
      // Declarations say nothing, and the type of the document stands in the way of a walk.
      const end = html.indexOf(">", at)
      at = end === -1 ? html.length : end + 1
      cut(start, at)
      continue
    }
    const closing = second === 0x2f
    const name = tagName(html, at + (closing ? 2 : 1))
    tags += 1
    if (tags > limits.htmlTags) throw tooManyTags()
    if (name === "") {
      // No tag; parsers cut the text here all the same.
      at += 1
      continue
    }
    at = tagEnd(html, at + name.length + 1)
    if (closing) {
      const left = flattened.get(name) ?? 0
      if (left > 0) {
        flattened.set(name, left - 1)
        cut(start, at, " ")
      } else {
        const place = open.lastIndexOf(name)
        if (place !== -1) open.length = place
        if (open.length < limits.htmlDepth) flattened.clear()
      }
      continue
    }
    if (name === "script" || name === "style") {
      if (name === "script") scripts += 1
      at = rawTextEnd(html, name, at)
      cut(start, at)
      continue
    }
    if (name === "svg") {
      const end = svgEnds ? drawingEnd(html, at) : -1
      // Without an end it would be the rest of the page.
      if (end === -1) svgEnds = false
      at = end === -1 ? at : end
      cut(start, at)
      continue
    }
    if (at - start > limits.htmlTagLength) cut(start, at, "<" + name + ">")
    if (voidNames.has(name)) continue
    if (name === "title" || name === "textarea") {
      at = rawTextEnd(html, name, at)
      continue
    }
    const ended = impliedEnd(open, endedBy.get(name))
    if (ended !== -1) {
      if (from <= start) cut(start, start, "</" + open[ended] + ">")
      open.length = ended
    }
    if (open.length < limits.htmlDepth) open.push(name)
    else {
      flattened.set(name, (flattened.get(name) ?? 0) + 1)
      if (from <= start) cut(start, at, " ")
    }
  }
  kept.push(html.slice(from))
  const prepared = withPlainLetters(kept.join(""))
  if (tags + countOf("&", prepared) * limits.htmlReferenceWeight > limits.htmlTags) throw tooManyTags()
  return { html: prepared, tags, scripts }
}

/**
 * Parsers cut the text at every character reference, and each piece becomes a part of the tree. Pages that write all of
 * their letters so are common enough; those below 160 are left alone, because markup and old habits are among them.
 */
function withPlainLetters(html) {
  return html.replace(/&(?:nbsp|#x([0-9a-f]{2,6})|#([0-9]{3,7}));/gi, (reference, hex, decimal) => {
    if (hex === undefined && decimal === undefined) return reference === "&nbsp;" ? "\u00a0" : reference
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const isLetter = code >= 0xa0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isLetter ? String.fromCodePoint(code) : reference
  })
}

function countOf(sign, text) {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1
  return count
}

function tooManyTags() {
  return refuse("too_large", "the page has more than " + limits.htmlTags + " tags and character references; ask for another page")
}

/** Which of the open elements an opening ends, the outermost of them. */
function impliedEnd(open, names) {
  let found = -1
  if (names === undefined) return found
  for (let at = open.length - 1; at >= 0; at -= 1) {
    if (names.has(open[at])) found = at
    else if (barriers.has(open[at])) break
  }
  return found
}

const namePattern = /[A-Za-z][^\s/>]*/y

function tagName(html, at) {
  namePattern.lastIndex = at
  const found = namePattern.exec(html)
  return found === null ? "" : found[0].toLowerCase()
}

/** Behind the ">" of a tag; one within a quoted value does not count. */
function tagEnd(html, from) {
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

const rawEnds = { script: /<\/script/gi, style: /<\/style/gi, title: /<\/title/gi, textarea: /<\/textarea/gi }

function rawTextEnd(html, name, from) {
  const pattern = rawEnds[name]
  pattern.lastIndex = from
  const found = pattern.exec(html)
  return found === null ? html.length : tagEnd(html, found.index + found[0].length)
}

function drawingEnd(html, from) {
  const pattern = /<(\/?)svg(?=[\s/>])/gi
  pattern.lastIndex = from
  let depth = 1
  for (let found = pattern.exec(html); found !== null; found = pattern.exec(html)) {
    depth += found[1] === "" ? 1 : -1
    if (depth === 0) return tagEnd(html, found.index + 4)
  }
  return -1
}
`
