/** A piece of a text: letters as they are, or one character that would be invisible or turn the text around. */
export type VisiblePiece = string | { readonly hidden: string }

// Controls but tab and line breaks; soft hyphen; zero width; bidi marks, embeddings, overrides, isolates; tags; the rest
// of what draws nothing. An emoji keeps its joiners and selectors.
const hidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

/** Takes a text apart so that nothing in it can hide: every hidden character becomes a piece of its own. */
export function visiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) pieces.push(text.slice(from, match.index))
    pieces.push({ hidden: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

/** The name of a hidden character, as Unicode numbers it. */
export function codeName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
}

/** The text with every hidden character written out: for places that can only hold text, such as a label. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => (typeof piece === "string" ? piece : `[${codeName(piece.hidden)}]`))
    .join("")
}

/** A text from a call for a label or a tooltip: short, and with nothing hidden in it. */
export function labelText(text: string): string {
  return visibleText(text.length > 300 ? `${text.slice(0, 300)}…` : text)
}
