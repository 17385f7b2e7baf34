/** Whether a text is so long, or has so many braces, that reading it could hold up the event loop. */
export function needsWorker(text: string): boolean {
  if (text.length > maxLength) return true
  let braces = 0
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) if (++braces > maxBraces) return true
  return false
}

const maxLength = 4096
// The parser needs the square of their number.
const maxBraces = 64
