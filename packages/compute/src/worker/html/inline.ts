import { limits } from "../../limits.js"
import type { BlockWriter } from "./block-writer.js"
import { resolveAddress } from "./page-facts.js"
import { collapse, isElement, type PageElement, textBelow } from "./page-tree.js"
import { classNames, isGutter } from "./visibility.js"

/** Begins a link or, where the element leads nowhere that a reader can follow, a span without signs. */
export function beginLink(writer: BlockWriter, target: string | undefined): void {
  if (target === undefined) writer.begin("no link")
  else writer.begin("link", { open: "[", close: `](${target})` })
}

/** The target of a link as Markdown can hold it; a place in the same page stays short. */
export function linkTarget(element: PageElement, base: string): string | undefined {
  const address = element.getAttribute("href")
  if (address === null || address.length > limits.addressLength) return undefined
  const trimmed = address.trim()
  if (trimmed.startsWith("#")) return trimmed.length > 1 && !/\s/.test(trimmed) ? safeTarget(trimmed) : undefined
  const target = resolveAddress(trimmed, base)
  return target === undefined ? undefined : safeTarget(target)
}

function safeTarget(target: string): string {
  let depth = 0
  for (const sign of target) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0
    if (depth < 0) break
  }
  const balanced = depth === 0 ? target : target.replaceAll("(", "%28").replaceAll(")", "%29")
  return balanced.replaceAll("<", "%3C").replaceAll(">", "%3E")
}

export function writeImage(element: PageElement, writer: BlockWriter, base: string): void {
  const alt = collapse((element.getAttribute("alt") ?? "").slice(0, 1000)).trim()
  if (writer.isPlain) {
    if (alt !== "") writer.text(`[${alt}]`)
    return
  }
  if (isSpeck(element)) return
  const source = imageSource(element)
  const target = source === undefined ? undefined : resolveAddress(source, base)
  // A link and no image: a viewer of the Markdown would load it, and its server would learn who reads what.
  if (target !== undefined && /^https?:/.test(target)) writeLink(writer, alt === "" ? "image" : `image: ${alt}`, target)
  else if (alt !== "") writer.text(alt)
}

function writeLink(writer: BlockWriter, label: string, target: string): void {
  beginLink(writer, safeTarget(target))
  writer.text(label)
  writer.end()
}

/** Pages that load images late keep a placeholder in src. */
function imageSource(element: PageElement): string | undefined {
  for (const name of ["data-src", "data-original", "data-lazy-src", "src"]) {
    const value = element.getAttribute(name)
    if (value && value.length <= limits.addressLength && !/^\s*(?:data|blob):/i.test(value)) return value
  }
  const set = element.getAttribute("srcset") ?? element.getAttribute("data-srcset") ?? ""
  return (
    set
      .slice(0, limits.addressLength)
      .trim()
      .split(/[\s,]+/)[0] || undefined
  )
}

function isSpeck(element: PageElement): boolean {
  const edge = (name: string) => Number.parseInt(element.getAttribute(name) ?? "", 10)
  return edge("width") <= 1 || edge("height") <= 1
}

export function writeInlineCode(element: PageElement, writer: BlockWriter): void {
  const code = collapse(textBelow(element, isGutter)).trim()
  if (code === "") return
  if (writer.isPlain) writer.text(code)
  else writer.raw(fenced(code))
}

function fenced(code: string): string {
  const fence = "`".repeat(longestRun(code) + 1)
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : ""
  return fence + pad + code + pad + fence
}

export function writeCodeBlock(element: PageElement, writer: BlockWriter): void {
  if (writer.inCell) {
    writeInlineCode(element, writer)
    return
  }
  const lines = textBelow(element, isGutter)
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
  const code = lines.replace(/^\n+/, "").trimEnd()
  writer.block(2)
  if (code.trim() === "") return
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1))
  writer.put(writer.isPlain ? code : `${fence}${codeLanguage(element)}\n${code}\n${fence}`)
  writer.block(2)
}

function longestRun(code: string): number {
  let longest = 0
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** The language that highlighters write into class names: on the code, on its frame, or on the frame's frame. */
function codeLanguage(element: PageElement): string {
  const frame = element.parentNode
  for (const place of [element.querySelector("code"), element, frame, frame?.parentNode]) {
    if (!place || !isElement(place)) continue
    const named = place.getAttribute("data-lang") ?? place.getAttribute("data-language")
    if (named && /^[\w+#.-]{1,30}$/.test(named)) return named.toLowerCase()
    for (const name of classNames(place)) {
      const language = /^(?:language-|lang-|highlight-source-|brush:|highlight-)([\w+#.-]{1,30})$/.exec(name)?.[1]
      if (language !== undefined && language !== "none" && language !== "plaintext") return language
    }
  }
  return ""
}

export function writeFormula(element: PageElement, writer: BlockWriter): void {
  const annotation = element.querySelector('annotation[encoding="application/x-tex"]')
  const source = element.getAttribute("alttext") ?? (annotation === null ? undefined : textBelow(annotation))
  if (source === undefined) {
    writer.text(textBelow(element))
    return
  }
  const formula = collapse(source)
    .trim()
    .replace(/^\{\\displaystyle\s*(.*)\}$/, "$1")
  if (formula !== "") writer.raw(writer.isPlain ? formula : `$${formula}$`)
}

/** Frames and media have an address and perhaps a name. */
export function writeMedia(element: PageElement, writer: BlockWriter, base: string): void {
  const address = element.getAttribute("src") ?? element.querySelector("source")?.getAttribute("src")
  const target = address && address.length <= limits.addressLength ? resolveAddress(address, base) : undefined
  if (target === undefined) return
  const title = element.getAttribute("title") ?? element.getAttribute("aria-label") ?? ""
  writeLink(writer, collapse(title).trim() || element.localName, target)
}
