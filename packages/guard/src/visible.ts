import { replaceHidden } from "./watchdog/detectors/hidden-characters.js"

/** The text with everything that could steer a terminal or hide itself written out, line breaks and tabs kept. */
export function visible(text: string): string {
  return replaceHidden(text, (code) => {
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`
  })
}

/** The same on one line and at most this long. */
export function visibleLine(text: string, maxLength = 200): string {
  const line = visible(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t")
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}
