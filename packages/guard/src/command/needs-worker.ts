/** Whether a text is so long, or has so many braces or substitutions, that reading it could hold up the event loop. */
export function needsWorker(text: string): boolean {
  if (text.length > maxLength) return true
  return openers.some((opener) => occursOften(opener, text))
}

const maxLength = 4096
// The parser needs the square of their number.
const openers = ["{", "(", "`", "$["]
const maxOpeners = 64

function occursOften(opener: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++count > maxOpeners) return true
  return false
}
