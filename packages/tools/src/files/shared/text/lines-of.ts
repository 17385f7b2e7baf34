/** Start and end of every line, line breaks left out; line breaks are CRLF, LF and CR. */
export function* linesOf(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0
  let feed = text.indexOf("\n")
  let carriage = text.indexOf("\r")
  while (feed !== -1 || carriage !== -1) {
    const end = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage
    yield [start, end]
    start = end === carriage && feed === carriage + 1 ? end + 2 : end + 1
    if (feed !== -1 && feed < start) feed = text.indexOf("\n", start)
    if (carriage !== -1 && carriage < start) carriage = text.indexOf("\r", start)
  }
  yield [start, text.length]
}
