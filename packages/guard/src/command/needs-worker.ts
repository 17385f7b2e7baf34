/** Whether a text is so long, or nests so much, that reading it could hold up the event loop. */
export function needsWorker(text: string): boolean {
  if (text.length > maxLength || nestsDeeply(text)) return true
  return openers.some((opener) => occursOften(opener, text))
}

const maxLength = 4096
// The parser needs the square of their number.
const openers = ["{", "(", "`", "$["]
const maxOpeners = 64
const maxNested = 16

function occursOften(opener: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++count > maxOpeners) return true
  return false
}

/**
 * How deep parentheses lie in one another, whatever they mean; a backquote inside another one is escaped. The parenthesis
 * behind a pattern of `case` closes nothing, so that substitutions are counted as well, nested or not.
 */
function nestsDeeply(text: string): boolean {
  let depth = 0
  let substitutions = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    const before = text[at - 1]
    if (letter === "(" && ++depth > maxNested) return true
    if (letter === ")" && depth > 0) depth--
    if (letter === "(" && (before === "$" || before === "<" || before === ">")) substitutions++
    if (letter === "`" && before === "\\") substitutions++
    if (substitutions > 2 * maxNested) return true
  }
  return false
}
