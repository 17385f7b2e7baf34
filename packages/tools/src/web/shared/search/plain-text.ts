/** Words of a short piece of HTML, such as a snippet with marked words. */
export function plainText(html: string): string {
  return html
    .slice(0, maxLength)
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (entity, decimal, hexadecimal, name) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? entity
      const point = Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity
    })
}

const maxLength = 8192
const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
}
