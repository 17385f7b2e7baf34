/**
 * Writes blocks and the text within them, as Markdown or plain. Written here and not taken from a library: the libraries
 * are recursive and join their output again for each node, so that a list of 20,000 entries takes them half a minute.
 */
export const blockWriterSource = String.raw`
function createWriter({ plain }) {
  const out = []
  const indents = []
  const marks = []
  let pieces = []
  let unread = ""
  let space = false
  let gap = 0
  let length = 0
  let heading = 0
  let cell

  /** Text of a page: its blanks mean one blank, its signs mean themselves. */
  function text(data) {
    // Parsers cut text at every entity; signs can only be judged beside their neighbours.
    unread += data
  }

  function readText() {
    if (unread === "") return
    const collapsed = collapse(unread)
    unread = ""
    if (collapsed.charAt(0) === " ") space = true
    const words = collapsed.trim()
    if (words === "") return
    write(plain ? words : escapeText(words))
    space = collapsed.charAt(collapsed.length - 1) === " "
  }

  /** Text that is Markdown already. */
  function raw(value) {
    readText()
    write(value)
  }

  function write(value) {
    if (space && pieces.length > 0 && !atLineStart()) pieces.push(" ")
    space = false
    for (const mark of marks) {
      if (mark.open === undefined || mark.isOpen) continue
      pieces.push(mark.open)
      mark.isOpen = true
    }
    pieces.push(value)
  }

  /** Begins a span such as emphasis or a link; its signs are written when there is something between them. */
  function begin(kind, open, close) {
    readText()
    const nested = plain || marks.some((mark) => mark.kind === kind)
    marks.push(nested ? { kind } : { kind, open, close, isOpen: false })
  }

  function end() {
    readText()
    const mark = marks.pop()
    if (mark !== undefined && mark.isOpen) pieces.push(mark.close)
  }

  function lineBreak() {
    readText()
    if (pieces.length === 0) return
    // Two in a row are how pages without paragraphs separate them.
    if (atLineStart()) return block(2)
    space = heading > 0 || cell !== undefined
    if (!space) pieces.push(plain ? "\n" : "  \n")
  }

  function atLineStart() {
    return pieces[pieces.length - 1].endsWith("\n")
  }

  /** Ends the block, if there is one; the next follows after so many line breaks at least. */
  function block(lines) {
    flush()
    // The first block of an entry stands beside its sign.
    if (indents.length === 0 || indents[indents.length - 1].used) gap = Math.max(gap, lines)
  }

  function flush() {
    readText()
    space = false
    if (pieces.length === 0) return
    for (let at = marks.length - 1; at >= 0; at -= 1) {
      if (marks[at].isOpen) pieces.push(marks[at].close)
      marks[at].isOpen = false
    }
    const paragraph = pieces.join("").trim()
    pieces = []
    if (paragraph === "") return
    if (heading > 0 && !plain) put("#".repeat(heading) + " " + paragraph.replace(/\s*\n/g, " "))
    else put(plain ? paragraph : escapeLineStarts(paragraph))
  }

  /** Writes finished lines behind the signs of the quotes and lists that they are in. */
  function put(lines) {
    if (cell !== undefined) return void cell.push(lines.replace(/\s*\n\s*/g, " "))
    if (length > limits.outputLength) return
    if (out.length > 0) out.push(gap > 1 ? "\n" + prefixOf(true) + "\n" : "\n")
    gap = 0
    const written = lines.includes("\n") ? lines.split("\n").map(withPrefix).join("\n") : withPrefix(lines)
    length += written.length + 2
    out.push(written)
  }

  function withPrefix(line) {
    if (indents.length === 0) return line
    return line === "" ? prefixOf(false).trimEnd() : prefixOf(false) + line
  }

  function prefixOf(isBlank) {
    let prefix = ""
    for (const indent of indents) {
      if (isBlank && !indent.used) break
      if (indent.deep) continue
      prefix += indent.used ? indent.rest : indent.first
      indent.used = true
    }
    return isBlank ? prefix.trimEnd() : prefix
  }

  return {
    text,
    raw,
    begin,
    end,
    lineBreak,
    block,
    put: (lines) => {
      flush()
      put(lines)
    },
    flush,
    isPlain: plain,
    indent(first, rest) {
      flush()
      indents.push({ first, rest, used: false, deep: indents.length >= limits.indents })
    },
    outdent() {
      flush()
      indents.pop()
    },
    /** Entries of a list follow each other without a blank line. */
    tighten() {
      flush()
      gap = 1
    },
    heading(level) {
      block(2)
      heading = level
    },
    /** Until endCell, blocks are parts of one cell. */
    beginCell() {
      flush()
      cell = []
    },
    endCell() {
      flush()
      const parts = cell ?? []
      cell = undefined
      return parts.join(plain ? " " : "<br>")
    },
    get inCell() {
      return cell !== undefined
    },
    finish() {
      flush()
      return out.join("") + (length > limits.outputLength ? "\n\n[The rest of the page is left out]" : "")
    },
  }
}

/** Signs that Markdown would read as its own; those that it would not stay bare, for the sake of readers. */
function escapeText(text) {
  if (!/[\\\u0060[\]*_<~]/.test(text)) return text
  return text
    .replace(/[\\\u0060[\]]/g, "\\$&")
    .replace(/\*(?=\S)|(?<=\S)\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[A-Za-z/!?])/g, "\\<")
    .replace(/~(?=~)/g, "\\~")
}

function escapeLineStarts(paragraph) {
  if (!/^(?:[#>+=-]|\d+[.)])/m.test(paragraph)) return paragraph
  return paragraph.replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s)|>|=+$|-+$)/gm, "\\$&").replace(/^(\d{1,9})([.)])(?=\s)/gm, "$1\\$2")
}
`
