/** The job `convertHtml`: a page as Markdown or plain text. */
export const convertHtmlSource = String.raw`
async function convertHtml({ html, url, to, part, isCareful }) {
  const prepared = preparePage(html)
  const { parseHTML } = await load("linkedom")
  const { document } = parseHTML(prepared.html)
  const facts = pageFacts(document, url)
  const write = (root, passOver) => writePage(root, { plain: to === "text", base: facts.base, tables: facts.tables, passOver })
  let text = ""
  if (part === "article") text = await writeArticle({ document, facts, url, write, isCareful, tags: prepared.tags, to })
  const hasArticle = text !== ""
  if (!hasArticle) text = write(document, () => false)
  const shown = { text, part: hasArticle ? "article" : "all", needsScript: needsScript(text, facts, prepared.scripts) }
  return { value: { ...shown, ...(facts.title !== undefined && { title: facts.title }), ...(facts.refresh !== undefined && { refresh: facts.refresh }) } }
}

const blockNames = new Set(["p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "address", "figure", "figcaption", "form", "fieldset",
  "legend", "details", "dl", "center", "body", "table", "tr", "td", "th", "caption", "hgroup", "search", "menu", "frameset", "option", "tbody"])
const emphases = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~", strike: "~~" }
const codeNames = new Set(["code", "kbd", "samp", "tt"])
const mediaNames = new Set(["iframe", "frame", "embed", "video", "audio"])

/** Words everything below the root, but for what is not shown and what is passed over. */
function writePage(root, { plain, base, tables, passOver }) {
  const writer = createWriter({ plain })
  const lists = []
  let table

  function enter(node) {
    if (node.nodeType === textNode) return void writer.text(node.data)
    if (node.nodeType !== elementNode) return
    if (node !== root && (isUnshown(node) || passOver(node))) return false
    const name = node.localName
    if (name === "br") return void writer.lineBreak()
    if (name === "img") return void writeImage(node, writer, base)
    if (name === "pre") return writeCodeBlock(node, writer), false
    if (codeNames.has(name)) return writeInlineCode(node, writer), false
    if (name === "math") return writeFormula(node, writer), false
    if (mediaNames.has(name)) return writeMedia(node, writer, base), false
    if (emphases[name] !== undefined) return writer.begin(emphases[name], emphases[name], emphases[name])
    if (name === "a") return beginLink(node)
    if (isHeading(name)) return writer.heading(Number(name.charAt(1)))
    if (name === "hr") return plain ? writer.block(2) : (writer.block(2), writer.put("---"), writer.block(2))
    if (name === "ul" || name === "ol") return beginList(name, node)
    if (name === "li") return beginEntry()
    if (name === "blockquote") return writer.block(2), writer.indent(plain ? "" : "> ", plain ? "" : "> ")
    if (name === "dt") return writer.block(2)
    if (name === "dd") return writer.tighten(), writer.indent(": ", "  ")
    if (name === "summary") return writer.block(2), writer.begin("**", "**", "**")
    if (name === "rt") return writer.raw("(")
    if (name === "q") return writer.raw("\u201c")
    if (name === "input") return writer.raw(node.hasAttribute("checked") ? "[x]" : "[ ]"), writer.text(" ")
    if (name === "sup" && /^[-\u2212+]?\d{1,4}$/.test(textBelow(node).trim()) && node.previousSibling) return writer.raw("^")
    if (table !== undefined || name === "table") return enterTable(name, node)
    if (blockNames.has(name)) writer.block(2)
  }

  function leave(node) {
    if (node.nodeType !== elementNode) return
    const name = node.localName
    if (emphases[name] !== undefined || name === "a") return writer.end()
    if (isHeading(name)) return writer.heading(0)
    if (name === "ul" || name === "ol") return lists.pop(), writer.block(lists.length > 0 ? 1 : 2)
    if (name === "li") return writer.outdent(), writer.block(1)
    if (name === "blockquote" || name === "dd") return writer.outdent(), writer.block(name === "dd" ? 1 : 2)
    if (name === "summary") return writer.end(), writer.block(2)
    if (name === "rt") return writer.raw(")")
    if (name === "q") return writer.raw("\u201d")
    if (table !== undefined) return leaveTable(name, node)
    if (blockNames.has(name) || name === "dt") writer.block(2)
  }

  function beginLink(node) {
    const target = linkTarget(node, base)
    // A sign beside a heading that leads to that heading.
    if (target?.startsWith("#") && /^[#\u00b6\u00a7\u{1f517}]?$/u.test(collapse(textBelow(node)).trim())) return false
    if (target === undefined) writer.begin("no link")
    else writer.begin("link", "[", "](" + target + ")")
  }

  function beginList(name, node) {
    writer.block(lists.length > 0 ? 1 : 2)
    const start = Number.parseInt(node.getAttribute("start") ?? "1", 10)
    lists.push({ next: name === "ol" ? (start >= 0 && start < 1e9 ? start : 1) : undefined, count: 0 })
  }

  function beginEntry() {
    const list = lists[lists.length - 1]
    if (list === undefined) writer.block(2)
    else if (list.count > 0 || lists.length > 1) writer.tighten()
    const marker = list?.next === undefined ? "- " : list.next++ + ". "
    if (list !== undefined) list.count += 1
    writer.indent(marker, " ".repeat(marker.length))
  }

  function enterTable(name, node) {
    if (name === "table") {
      const { isData, columns } = tables.get(node) ?? {}
      if (table !== undefined) return
      writer.block(2)
      if (isData && columns > 1) table = { rows: createTable(writer), root: node }
    } else if (name === "thead" || name === "tbody" || name === "tfoot") table.rows.section(name)
    else if (name === "tr") table.rows.beginRow()
    else if (name === "td" || name === "th") table.rows.beginCell()
    else if (blockNames.has(name)) writer.block(2)
  }

  function leaveTable(name, node) {
    if (node === table.root) {
      const { rows } = table
      table = undefined
      rows.finish()
    } else if (name === "tr") table.rows.endRow()
    else if (name === "td" || name === "th") table.rows.endCell(node)
    else if (blockNames.has(name)) writer.block(2)
  }

  walk(root, enter, leave)
  return writer.finish()
}

function isHeading(name) {
  return name.length === 2 && name.charAt(0) === "h" && name >= "h1" && name <= "h6"
}
`
