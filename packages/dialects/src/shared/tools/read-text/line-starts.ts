/** Where the lines of a text begin; what follows the last line break is a line only if there is something. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; ) {
    starts.push(at)
    const feed = text.indexOf("\n", at)
    if (feed === -1) break
    at = feed + 1
  }
  return starts
}
