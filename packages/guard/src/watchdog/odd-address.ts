/** What makes an address look as if it carried data; undefined for an ordinary one and for any other text. */
export function oddAddress(text: string): string | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([/?#][\s\S]*)?$/i.exec(text)
  if (!found) return undefined
  const [, authority = "", rest = ""] = found
  if (new TextEncoder().encode(rest).length > maxBytes) return `is longer than ${maxBytes} bytes`
  const pieces = [...authority.split("."), ...decoded(rest).split(/[/?&=.;:,#|\s]+/)]
  return pieces.some(looksRandom) ? "holds a long random-looking part" : undefined
}

const maxBytes = 512
const maxRandom = 40

/** Words change between letters and digits, or between cases, far less often than coded data does. */
function looksRandom(piece: string): boolean {
  if (piece.length <= maxRandom) return false
  let changes = 0
  let last: string | undefined
  for (const letter of piece) {
    const kind = /[a-z]/.test(letter)
      ? "lower"
      : /[A-Z]/.test(letter)
        ? "upper"
        : /\d/.test(letter)
          ? "digit"
          : undefined
    if (kind === undefined) continue
    if (last !== undefined && kind !== last) changes++
    last = kind
  }
  return changes / piece.length > 0.2
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
