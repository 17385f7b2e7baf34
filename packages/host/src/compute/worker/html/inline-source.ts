/** How elements within a paragraph are written: links, images, code, formulas. */
export const inlineSource = String.raw`
/** The target of a link as Markdown can hold it; a place in the same page stays short. */
function linkTarget(element, base) {
  const address = element.getAttribute("href")
  if (address === null || address.length > limits.addressLength) return undefined
  const trimmed = address.trim()
  if (trimmed.startsWith("#")) return trimmed.length > 1 && !/\s/.test(trimmed) ? safeTarget(trimmed) : undefined
  const target = resolveAddress(trimmed, base)
  return target === undefined ? undefined : safeTarget(target)
}

function safeTarget(target) {
  let depth = 0
  for (const sign of target) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0
    if (depth < 0) break
  }
  const balanced = depth === 0 ? target : target.replaceAll("(", "%28").replaceAll(")", "%29")
  return balanced.replaceAll("<", "%3C").replaceAll(">", "%3E")
}

function writeImage(element, writer, base) {
  const alt = collapse((element.getAttribute("alt") ?? "").slice(0, 1000)).trim()
  if (writer.isPlain) return alt === "" ? undefined : writer.text("[" + alt + "]")
  if (isSpeck(element)) return
  const source = imageSource(element)
  const target = source === undefined ? undefined : resolveAddress(source, base)
  if (target === undefined || !/^https?:/.test(target)) return alt === "" ? undefined : writer.text(alt)
  // A link and no image: whoever draws the Markdown would load it, and so tell its server who reads what.
  writer.begin("link", "[", "](" + safeTarget(target) + ")")
  writer.text(alt === "" ? "image" : "image: " + alt)
  writer.end()
}

/** Pages that load images late keep a placeholder in src. */
function imageSource(element) {
  for (const name of ["data-src", "data-original", "data-lazy-src", "src"]) {
    const value = element.getAttribute(name)
    if (value && value.length <= limits.addressLength && !/^\s*(?:data|blob):/i.test(value)) return value
  }
  const set = (element.getAttribute("srcset") ?? element.getAttribute("data-srcset") ?? "").slice(0, limits.addressLength)
  return set.trim().split(/[\s,]+/)[0] || undefined
}

function isSpeck(element) {
  const edge = (name) => Number.parseInt(element.getAttribute(name) ?? "", 10)
  return edge("width") <= 1 || edge("height") <= 1
}

function writeInlineCode(element, writer) {
  const code = collapse(textBelow(element, isGutter)).trim()
  if (code === "") return
  if (writer.isPlain) return writer.text(code)
  const fence = "\u0060".repeat(longestRun(code) + 1)
  const pad = code.startsWith("\u0060") || code.endsWith("\u0060") ? " " : ""
  writer.raw(fence + pad + code + pad + fence)
}

function writeCodeBlock(element, writer) {
  if (writer.inCell) return writeInlineCode(element, writer)
  const code = textBelow(element, isGutter).replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/^\n+/, "").trimEnd()
  writer.block(2)
  if (code.trim() === "") return
  const fence = "\u0060".repeat(Math.max(3, longestRun(code) + 1))
  writer.put(writer.isPlain ? code : fence + codeLanguage(element) + "\n" + code + "\n" + fence)
  writer.block(2)
}

function longestRun(code) {
  let longest = 0
  for (const [run] of code.matchAll(/\u0060+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** The language that highlighters write into class names: on the code, on its frame, or on the frame's frame. */
function codeLanguage(element) {
  const inner = element.querySelector("code")
  for (const place of [inner, element, element.parentNode, element.parentNode && element.parentNode.parentNode]) {
    if (!place || place.nodeType !== elementNode) continue
    const named = place.getAttribute("data-lang") ?? place.getAttribute("data-language")
    if (named && /^[\w+#.-]{1,30}$/.test(named)) return named.toLowerCase()
    for (const name of classNames(place)) {
      const found = /^(?:language-|lang-|highlight-source-|brush:|highlight-)([\w+#.-]{1,30})$/.exec(name)
      if (found !== null && found[1] !== "none" && found[1] !== "plaintext") return found[1]
    }
  }
  return ""
}

function writeFormula(element, writer) {
  const annotation = element.querySelector('annotation[encoding="application/x-tex"]')
  const source = element.getAttribute("alttext") ?? (annotation === null ? undefined : textBelow(annotation))
  if (source === undefined) return writer.text(textBelow(element))
  const formula = collapse(source).trim().replace(/^\{\\displaystyle\s*(.*)\}$/, "$1")
  if (formula !== "") writer.raw(writer.isPlain ? formula : "$" + formula + "$")
}

/** Frames and media have an address and perhaps a name. */
function writeMedia(element, writer, base) {
  const address = element.getAttribute("src") ?? element.querySelector("source")?.getAttribute("src")
  const target = address && address.length <= limits.addressLength ? resolveAddress(address, base) : undefined
  if (target === undefined) return
  const label = collapse(element.getAttribute("title") ?? element.getAttribute("aria-label") ?? "").trim() || element.localName
  writer.begin("link", "[", "](" + safeTarget(target) + ")")
  writer.text(label)
  writer.end()
}
`
