import { ToolError } from "@haft/contract"

/** Which names are wanted, and a glob that lets all of them pass when letters may be of either case. */
export interface NameFilter {
  readonly glob: string
  /** True when the glob says it all, so that a search may stop as soon as it has enough. */
  readonly isExact: boolean
  matches(path: string): boolean
}

/** Compiles what a caller wants of a name: plain text and endings, compared without regard to case. */
export function nameFilter({ query = "", types = [] }: { query?: string; types?: readonly string[] }): NameFilter {
  const wanted = query.toLowerCase()
  const endings = types.map(endingOf)
  const matches = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
    const isNamed = wanted.includes("/") ? path.toLowerCase().includes(wanted) : name.includes(wanted)
    return isNamed && (endings.length === 0 || endings.some((ending) => name.endsWith(ending)))
  }
  // The glob also decides which denied files are counted: those that the caller would have seen.
  if (wanted !== "" && isPlain(wanted)) return { glob: `*${literal(wanted)}*`, isExact: endings.length === 0, matches }
  if (endings.length === 1 && isPlain(endings[0]!))
    return { glob: `*${literal(endings[0]!)}`, isExact: wanted === "", matches }
  return { glob: "**", isExact: wanted === "" && endings.length === 0, matches }
}

function endingOf(type: string): string {
  const bare = type.toLowerCase().replace(/^\*?\.+/, "")
  if (bare !== "" && !/[/\0*?]/.test(bare)) return `.${bare}`
  throw new ToolError("invalid_args", `Cannot look for the type "${type}": name an extension such as "ts"`)
}

/** Other characters have more forms than two, and a slash is no part of a name. */
function isPlain(text: string): boolean {
  return text.length <= 200 && /^[\x20-\x7e]+$/.test(text) && !text.includes("/")
}

/** The text as a glob that takes it as it is. */
function literal(text: string): string {
  return text.replace(/[\\*?[\]{}!,|]/g, "\\$&")
}
