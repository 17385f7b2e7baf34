/** Tells whether a text fits a pattern of `*` (any run) and `?` (one character); never backtracks more than once. */
export type GlobTest = (text: string) => boolean

/** Whether a text holds a wildcard. */
export function hasWildcard(text: string): boolean {
  return text.includes("*") || text.includes("?")
}

/** Compiles a pattern of `*` and `?`; the common shapes become one string comparison. */
export function compileGlob(glob: string): GlobTest {
  if (!hasWildcard(glob)) return (text) => text === glob
  const inner = glob.replace(/^\*+|\*+$/g, "")
  if (!hasWildcard(inner)) {
    const open = { start: glob.startsWith("*"), end: glob.endsWith("*") }
    if (inner === "") return () => true
    if (open.start && open.end) return (text) => text.includes(inner)
    if (open.start) return (text) => text.endsWith(inner)
    return (text) => text.startsWith(inner)
  }
  return (text) => matchesGlob(glob, text)
}

/** Two pointers with one remembered star: time grows with the product of both lengths, never worse. */
function matchesGlob(glob: string, text: string): boolean {
  let at = 0
  let position = 0
  let star = -1
  let resume = 0
  while (position < text.length) {
    if (glob[at] === "*") {
      star = at
      at += 1
      resume = position
    } else if (glob[at] === "?") {
      at += 1
      position += characterLength(text, position)
    } else if (at < glob.length && glob[at] === text[position]) {
      at += 1
      position += 1
    } else if (star >= 0) {
      at = star + 1
      resume += characterLength(text, resume)
      position = resume
    } else {
      return false
    }
  }
  while (glob[at] === "*") at += 1
  return at === glob.length
}

function characterLength(text: string, position: number): number {
  const point = text.codePointAt(position)
  return point !== undefined && point > 0xffff ? 2 : 1
}
