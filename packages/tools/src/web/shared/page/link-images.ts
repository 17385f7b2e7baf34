/** A text that was not made here. */
export interface ForeignText {
  readonly text: string
  readonly mediaType: string
  /** Where it came from; servers often call Markdown plain text. */
  readonly url: string
}

/** The text with links in the place of images: a client that draws Markdown would load them, and so tell somebody that it was read. */
export function linkImages({ text, mediaType, url }: ForeignText): string {
  const isMarkdown = /^text\/(?:x-)?markdown$/.test(mediaType) || /\.(?:md|markdown|mdx)(?:$|[?#])/i.test(url)
  // In Markdown every image counts, also one that is defined elsewhere in the text; elsewhere only what can be nothing else.
  if (!isMarkdown) return text.replace(remoteImage, "")
  // The tags first, because a sign before one of them would make an image of its link.
  return text.replace(imageTag, linkOfTag).replace(openTag, "\\<").replace(imageSign, "[")
}

const imageSign = /(?<!!)!+\[/g
// The sign before a label, with brackets in it at most one deep, that is followed by an address with a host.
const remoteImage = /(?<!!)!+(?=\[(?:[^[\]]|\[[^[\]]*\]){0,1000}\]\(\s*<?\s*(?:https?:)?\/\/)/gi

const imageTag = /<(?:img|image)\b[^<>]{0,4000}>/gi
const openTag = /<(?=(?:img|image)\b)/gi

function linkOfTag(tag: string): string {
  const target = attribute(tag, "src")
  const label = `image${prefixed(attribute(tag, "alt") ?? "")}`
  return target === undefined ? `\\[${label}\\]` : `[${label}](<${target.replaceAll(/[<>\s]/g, "")}>)`
}

function prefixed(alt: string): string {
  const words = alt.replaceAll(/[[\]\\]/g, " ").trim()
  return words === "" ? "" : `: ${words}`
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`[\\s/"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}
