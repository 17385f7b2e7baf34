/** What is known about a page before any of it is worded. */
export const pageFactsSource = String.raw`
/** Title, base of its links, where it sends its readers, how much it says, and which tables hold data. */
function pageFacts(document, url) {
  const facts = { title: undefined, base: url, refresh: undefined, textLength: 0, noscript: "", tables: new Map() }
  const tables = []
  let socialTitle
  let based = false
  walk(
    document,
    (node) => {
      if (node.nodeType === textNode) facts.textLength += node.data.trim().length
      if (node.nodeType !== elementNode) return
      const name = node.localName
      if (name === "title") {
        facts.title ??= collapse(textBelow(node)).trim() || undefined
        return false
      }
      if (name === "noscript") {
        // Where nothing runs, the page's own word about that is followed.
        walk(node, (inner) => void (inner.localName === "meta" && (facts.refresh ??= refreshTarget(inner))))
        if (facts.noscript.length < 2000) facts.noscript += " " + collapse(textBelow(node)).slice(0, 2000)
        return false
      }
      if (name === "base" && !based) {
        const base = node.getAttribute("href")
        based = base !== null
        if (base !== null && base.length < limits.addressLength) facts.base = resolveAddress(base, url) ?? url
      } else if (name === "meta") {
        facts.refresh ??= refreshTarget(node)
        if (node.getAttribute("property") === "og:title") socialTitle ??= node.getAttribute("content")
      }
      noteTable(name, node, tables, facts.tables)
    },
    (node) => {
      if (node.nodeType === elementNode && node.localName === "table") tables.pop()
    },
  )
  facts.title ??= socialTitle ? collapse(socialTitle).trim().slice(0, 500) : undefined
  if (facts.title !== undefined) facts.title = facts.title.slice(0, 500)
  facts.refresh = facts.refresh === undefined ? undefined : resolveAddress(facts.refresh, facts.base)
  if (facts.refresh !== undefined && withoutFragment(facts.refresh) === withoutFragment(url)) facts.refresh = undefined
  return facts
}

const layoutParts = new Set(["h1", "h2", "h3", "h4", "pre", "blockquote", "hr", "article", "section", "form"])

/** A table that holds tables, headings or one column is a way to place things, not data. */
function noteTable(name, node, tables, known) {
  const outer = tables[tables.length - 1]
  if (name === "table") {
    if (outer !== undefined) outer.isData = false
    const role = node.getAttribute("role")
    const table = { isData: role !== "presentation" && role !== "none", columns: 0, cells: 0 }
    tables.push(table)
    known.set(node, table)
  } else if (outer === undefined) return
  else if (name === "tr") outer.cells = 0
  else if (name === "td" || name === "th") {
    outer.cells += 1
    outer.columns = Math.max(outer.columns, outer.cells)
  } else if (layoutParts.has(name)) outer.isData = false
}

/** Where a refresh leads that comes soon; one after minutes is a page that renews itself. */
function refreshTarget(meta) {
  if ((meta.getAttribute("http-equiv") ?? "").toLowerCase() !== "refresh") return undefined
  const content = (meta.getAttribute("content") ?? "").slice(0, limits.addressLength)
  const found = /^\s*(\d*)[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content)
  if (found === null || Number(found[1] || 0) > limits.refreshSeconds) return undefined
  const target = found[2].trim()
  const quote = target.charAt(0)
  if (quote !== '"' && quote !== "'") return target || undefined
  return target.slice(1).split(quote)[0] || undefined
}

function withoutFragment(address) {
  return address.split("#")[0]
}

/** Absolute and of a kind that can be followed by a reader. */
function resolveAddress(address, base) {
  try {
    const url = new URL(address.trim(), base)
    return /^(?:https?|ftp|mailto|tel):$/.test(url.protocol) && url.href.length <= limits.addressLength ? url.href : undefined
  } catch {
    return undefined
  }
}

const scriptWanted = [
  /(?:enable|requires?|turn(?:ed)? on|activate|needs?|without|switch on|allow|support)\b.{0,60}\bjava\s?script/i,
  /\bjava\s?script\b.{0,60}\b(?:enabled?|requires?|required|disabled|turn(?:ed)? (?:on|off)|needed|activated?|not supported|is off)/i,
  // Written as numbers: the program of the worker is handed on as text, and only ASCII survives every way. The words are
  // enable, open, allow, need, disable, support in Chinese, and the like in Japanese and Korean.
  /(?:\u542f\u7528|\u5f00\u542f|\u6253\u5f00|\u5141\u8bb8|\u9700\u8981|\u7981\u7528|\u652f\u6301).{0,12}java\s?script|java\s?script.{0,16}(?:\u542f\u7528|\u5f00\u542f|\u6253\u5f00|\u7981\u7528|\u652f\u6301|\u6709\u52b9|\ud544\uc694|\ud65c\uc131)/i,
]

/** Next to no text beside scripts, or little text and a word about scripts. */
function needsScript(text, facts, scripts) {
  if (scripts === 0) return false
  const length = text.trim().length
  if (length < 30) return true
  return length < 600 && scriptWanted.some((pattern) => pattern.test(text) || pattern.test(facts.noscript))
}
`
