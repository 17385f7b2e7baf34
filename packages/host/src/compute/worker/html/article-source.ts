/** Finds what a page is about, without what stands around it. */
export const articleSource = `
/** The article as text; empty where the page has none, or where so little is left that the page says more. */
async function writeArticle({ document, facts, url, write, isCareful, tags, to }) {
  if (facts.textLength < limits.articleText) return ""
  const careful = isCareful && tags <= limits.carefulTags && facts.textLength <= limits.carefulText
  const text = (careful && (await extractArticle(document, { url, base: facts.base, to }))) || ""
  if (text.length >= Math.max(limits.articleText, facts.textLength * 0.2)) return text
  const root = findArticle(document)
  return root === undefined ? "" : write(root, isSurrounding)
}

/**
 * The extractor knows many sites and many ways to write code, formulas and footnotes, and goes over the page a hundred
 * times for it: pages of thousands of elements are found by their landmarks instead.
 */
async function extractArticle(document, { url, base, to }) {
  if (document.documentElement?.localName !== "html" || document.querySelector("body") === null) return ""
  const Defuddle = await load("defuddle")
  const refuseFetch = () => Promise.reject(new Error("nothing is fetched here"))
  let content
  try {
    content = new Defuddle(document, { url, useAsync: false, fetch: refuseFetch }).parse().content
  } catch {
    return ""
  }
  if (!content) return ""
  const { parseHTML } = await load("linkedom")
  const article = parseHTML("<html><body>" + content + "</body></html>").document
  const { tables } = pageFacts(article, url)
  return writePage(article, { plain: to === "text", base, tables, passOver: () => false })
}

/** The landmark with most of the text, or the innermost element that holds most of it. */
function findArticle(document) {
  const lengths = new Map()
  const landmarks = []
  const sums = [0]
  walk(
    document,
    (node) => {
      if (node.nodeType === textNode) sums[sums.length - 1] += node.data.trim().length
      if (node.nodeType !== elementNode) return
      if (isUnshown(node) || isSurrounding(node)) return false
      sums.push(0)
    },
    (node) => {
      if (node.nodeType !== elementNode) return
      const length = sums.pop()
      sums[sums.length - 1] += length
      if (length < limits.articleText) return
      lengths.set(node, length)
      if (isLandmark(node)) landmarks.push(node)
    },
  )
  const total = sums[0]
  const most = landmarks.reduce((largest, node) => Math.max(largest, lengths.get(node)), 0)
  // Inner landmarks come first: an article within the main part is nearer to the point, where it holds nearly all of it.
  if (most >= total * 0.4) return landmarks.find((node) => lengths.get(node) >= most * 0.8)
  return total < limits.articleText ? undefined : innermost(document, lengths)
}

function isLandmark(element) {
  const name = element.localName
  return name === "main" || name === "article" || element.getAttribute("role") === "main" || element.getAttribute("itemprop") === "articleBody"
}

function innermost(document, lengths) {
  let found
  let length = 0
  for (let children = document.childNodes; ; children = found.childNodes) {
    const next = [...children].find((child) => (lengths.get(child) ?? 0) > length * 0.7)
    if (next === undefined) return found
    found = next
    length = lengths.get(next)
  }
}
`
