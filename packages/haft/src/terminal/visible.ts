// Control characters, escape sequences and direction overrides: what could draw something else than what is there.
const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g

/** The text with everything that could steer a terminal or hide itself written out, line breaks and tabs kept. */
export function visible(text: string): string {
  return text.replace(dangerous, (character) => {
    const code = character.charCodeAt(0)
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
  })
}

/** The same on one line and at most this long. */
export function visibleLine(text: string, maxLength = 200): string {
  const line = visible(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t")
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}
