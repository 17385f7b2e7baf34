import { limits } from "../../limits.js"
import { type PageFacts, pageFacts } from "./page-facts.js"
import { isElement, isText, type PageDocument, type PageElement, type PageNode, parsePage, walk } from "./page-tree.js"
import { isSurrounding, isUnshown } from "./visibility.js"
import { writePage } from "./write-page.js"

/** A parsed page and what is known about it. */
export interface ParsedPage {
  readonly document: PageDocument
  readonly facts: PageFacts
  readonly url: string
  readonly isPlain: boolean
}

/**
 * What a page is about, without what is around it, as text; empty where the page has no article, or where so little is
 * left that the page says more.
 */
export async function writeArticle(page: ParsedPage, { isCareful }: { readonly isCareful: boolean }): Promise<string> {
  const { document, facts, isPlain } = page
  if (facts.textLength < limits.articleText) return ""
  const text = isCareful && facts.textLength <= limits.carefulText ? await extractArticle(page) : ""
  if (text.length >= Math.max(limits.articleText, facts.textLength * 0.2)) return text
  const root = findArticle(document)
  return root === undefined ? "" : writePage(root, { ...facts, isPlain, passOver: isSurrounding })
}

/** The part of the extractor that is used. Its own types are those of a module that exports it as `default`. */
type Extractor = new (document: PageDocument, options: object) => { parse(): { readonly content?: string } }

/**
 * The extractor knows many sites and many ways to write code, formulas and footnotes, and goes over the page a hundred
 * times for it: pages of thousands of elements are found by their landmarks instead.
 */
async function extractArticle({ document, url, isPlain, facts }: ParsedPage): Promise<string> {
  if (document.documentElement?.localName !== "html" || document.querySelector("body") === null) return ""
  const Defuddle = (await import("defuddle")).default as unknown as Extractor
  const refuseFetch = () => Promise.reject(new Error("nothing is fetched here"))
  let content: string | undefined
  try {
    content = new Defuddle(document, { url, useAsync: false, fetch: refuseFetch }).parse().content
  } catch {
    // The page is one that the extractor cannot read; the landmarks are looked for then.
    return ""
  }
  if (!content) return ""
  const article = await parsePage(`<html><body>${content}</body></html>`)
  const { tables } = pageFacts(article, url)
  return writePage(article, { isPlain, base: facts.base, tables, passOver: () => false })
}

/** The landmark with most of the text, or the innermost element that holds most of it. */
function findArticle(document: PageDocument): PageNode | undefined {
  const { total, lengths, landmarks } = textLengths(document)
  const lengthOf = (node: PageNode) => lengths.get(node) ?? 0
  const most = landmarks.reduce((largest, node) => Math.max(largest, lengthOf(node)), 0)
  // Inner landmarks come first: an article within the main part is nearer to the point, where it holds nearly all of it.
  if (most >= total * 0.4) return landmarks.find((node) => lengthOf(node) >= most * 0.8)
  return total < limits.articleText ? undefined : innermost(document, lengths)
}

/** How much shown text there is below the elements that have enough of it for an article. */
function textLengths(document: PageDocument) {
  const lengths = new Map<PageNode, number>()
  const landmarks: PageElement[] = []
  // The text of each open element, the innermost last.
  const outer: number[] = []
  let current = 0
  walk(
    document,
    (node) => {
      if (isText(node)) current += node.data.trim().length
      if (!isElement(node)) return true
      if (isUnshown(node) || isSurrounding(node)) return false
      outer.push(current)
      current = 0
      return true
    },
    (node) => {
      if (!isElement(node)) return
      const length = current
      current += outer.pop() ?? 0
      if (length < limits.articleText) return
      lengths.set(node, length)
      if (isLandmark(node)) landmarks.push(node)
    },
  )
  return { total: current, lengths, landmarks }
}

function isLandmark(element: PageElement): boolean {
  const name = element.localName
  if (name === "main" || name === "article") return true
  return element.getAttribute("role") === "main" || element.getAttribute("itemprop") === "articleBody"
}

function innermost(document: PageDocument, lengths: ReadonlyMap<PageNode, number>): PageNode | undefined {
  let found: PageNode | undefined
  let length = 0
  for (;;) {
    const children: Iterable<PageNode> = (found ?? document).childNodes
    const next = [...children].find((child) => (lengths.get(child) ?? 0) > length * 0.7)
    if (next === undefined) return found
    found = next
    length = lengths.get(next) ?? 0
  }
}
