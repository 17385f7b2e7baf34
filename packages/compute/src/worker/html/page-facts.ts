import { limits } from "../../limits.js"
import {
  collapse,
  isElement,
  isText,
  type PageDocument,
  type PageElement,
  type PageNode,
  textBelow,
  walk,
} from "./page-tree.js"

/** What is known about a page before any of it is worded. */
export interface PageFacts {
  readonly title: string | undefined
  /** What its links are relative to. */
  readonly base: string
  /** Where it sends its readers. */
  readonly refresh: string | undefined
  readonly textLength: number
  /** What it says to readers without scripts. */
  readonly noscript: string
  readonly tables: ReadonlyMap<PageNode, TableFacts>
}

export interface TableFacts {
  readonly isData: boolean
  readonly columns: number
}

export function pageFacts(document: PageDocument, url: string): PageFacts {
  const reader = new FactsReader(url)
  walk(
    document,
    (node) => reader.enter(node),
    (node) => reader.leave(node),
  )
  return reader.facts()
}

class FactsReader {
  private readonly url: string
  private title: string | undefined
  private socialTitle: string | undefined
  private base: string | undefined
  private refresh: string | undefined
  private textLength = 0
  private noscript = ""
  private readonly tables = new TableReader()

  constructor(url: string) {
    this.url = url
  }

  enter(node: PageNode): boolean {
    if (isText(node)) this.textLength += node.data.trim().length
    if (!isElement(node)) return true
    switch (node.localName) {
      case "title":
        this.title ??= collapse(textBelow(node)).trim() || undefined
        return false
      case "noscript":
        this.readNoscript(node)
        return false
      case "base":
        this.readBase(node)
        break
      case "meta":
        this.refresh ??= refreshTarget(node)
        if (node.getAttribute("property") === "og:title") this.socialTitle ??= node.getAttribute("content") ?? undefined
    }
    this.tables.enter(node)
    return true
  }

  leave(node: PageNode): void {
    if (isElement(node)) this.tables.leave(node)
  }

  facts(): PageFacts {
    const { url, textLength, noscript } = this
    const base = this.base ?? url
    const title = this.title ?? (this.socialTitle ? collapse(this.socialTitle).trim() : undefined)
    const refresh = this.refresh === undefined ? undefined : resolveAddress(this.refresh, base)
    const leadsHere = refresh !== undefined && withoutFragment(refresh) === withoutFragment(url)
    return {
      title: title?.slice(0, 500),
      base,
      refresh: leadsHere ? undefined : refresh,
      textLength,
      noscript,
      tables: this.tables.known,
    }
  }

  /** Where nothing runs, the page's own word about that is followed. */
  private readNoscript(element: PageElement): void {
    walk(element, (inner) => {
      if (isElement(inner) && inner.localName === "meta") this.refresh ??= refreshTarget(inner)
      return true
    })
    if (this.noscript.length < 2000) this.noscript += ` ${collapse(textBelow(element)).slice(0, 2000)}`
  }

  /** The first base counts, also when it is not an address that can be followed. */
  private readBase(element: PageElement): void {
    const base = element.getAttribute("href")
    if (base === null || this.base !== undefined) return
    this.base = (base.length < limits.addressLength ? resolveAddress(base, this.url) : undefined) ?? this.url
  }
}

/** A table that holds tables, headings or one column is a way to place things, not data. */
class TableReader {
  readonly known = new Map<PageNode, TableFacts>()
  private readonly open: { isData: boolean; columns: number; cells: number }[] = []

  enter(element: PageElement): void {
    const name = element.localName
    const outer = this.open.at(-1)
    if (name === "table") {
      if (outer !== undefined) outer.isData = false
      const role = element.getAttribute("role")
      const table = { isData: role !== "presentation" && role !== "none", columns: 0, cells: 0 }
      this.open.push(table)
      this.known.set(element, table)
    } else if (outer === undefined) return
    else if (name === "tr") outer.cells = 0
    else if (name === "td" || name === "th") {
      outer.cells += 1
      outer.columns = Math.max(outer.columns, outer.cells)
    } else if (layoutParts.has(name)) outer.isData = false
  }

  leave(element: PageElement): void {
    if (element.localName === "table") this.open.pop()
  }
}

const layoutParts = new Set(["h1", "h2", "h3", "h4", "pre", "blockquote", "hr", "article", "section", "form"])

/** Where a refresh leads that comes soon; one after minutes is a page that renews itself. */
function refreshTarget(meta: PageElement): string | undefined {
  if ((meta.getAttribute("http-equiv") ?? "").toLowerCase() !== "refresh") return undefined
  const content = (meta.getAttribute("content") ?? "").slice(0, limits.addressLength)
  const found = /^\s*(\d*)[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content)
  if (found === null || Number(found[1] || 0) > limits.refreshSeconds) return undefined
  const target = (found[2] ?? "").trim()
  const quote = target.charAt(0)
  if (quote !== '"' && quote !== "'") return target || undefined
  return target.slice(1).split(quote)[0] || undefined
}

function withoutFragment(address: string): string | undefined {
  return address.split("#")[0]
}

/** Absolute and of a kind that can be followed by a reader. */
export function resolveAddress(address: string, base: string): string | undefined {
  try {
    const url = new URL(address.trim(), base)
    const canBeFollowed = /^(?:https?|ftp|mailto|tel):$/.test(url.protocol)
    return canBeFollowed && url.href.length <= limits.addressLength ? url.href : undefined
  } catch {
    return undefined
  }
}

const scriptWanted = [
  /(?:enable|requires?|turn(?:ed)? on|activate|needs?|without|switch on|allow|support)\b.{0,60}\bjava\s?script/i,
  /\bjava\s?script\b.{0,60}\b(?:enabled?|requires?|required|disabled|turn(?:ed)? (?:on|off)|needed|activated?|not supported|is off)/i,
  // Enable, open, allow, need, disable, support in Chinese, and the like in Japanese and Korean.
  /(?:启用|开启|打开|允许|需要|禁用|支持).{0,12}java\s?script|java\s?script.{0,16}(?:启用|开启|打开|禁用|支持|有効|필요|활성)/i,
]

/** Next to no text beside scripts, or little text and a word about scripts. */
export function needsScript(text: string, facts: PageFacts, scripts: number): boolean {
  if (scripts === 0) return false
  const length = text.trim().length
  if (length < 30) return true
  return length < 600 && scriptWanted.some((pattern) => pattern.test(text) || pattern.test(facts.noscript))
}
