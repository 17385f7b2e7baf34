import { fold } from "../path.js"
import { PathTable } from "./path-table.js"
import { hasWildcard } from "./pattern/glob.js"
import { type PathMatcher, pathMatcher } from "./pattern/path-matcher.js"
import type { CompiledRule } from "./rule.js"

/**
 * Tells quickly of most paths that no deny matches them. Masks ask about every name of a workspace, and nearly none is
 * denied (benchmark: workspace-size, first read).
 */
export class DeniedPaths {
  private readonly table: PathTable
  private readonly names = new NameFilter()
  /** A folder, with a slash, in and below which only names decide: most paths are in the same tree as the one before. */
  private quietTop: string | undefined

  constructor(rules: readonly CompiledRule[]) {
    const denies = rules.filter(({ placed }) => placed.action === "deny")
    this.table = new PathTable(denies, { folded: true })
    for (const { pattern } of denies) {
      if (pattern?.kind !== "path") continue
      for (const { folded } of pattern.variants) this.names.add(pathMatcher(folded))
    }
  }

  /** Whether a deny matches the path, whatever sets that deny aside. */
  mayMatch(path: string): boolean {
    // Counted by hand: names are short, and to search costs more than all the rest.
    let split = path.length - 1
    while (split > 0 && path.charCodeAt(split) !== slash) split -= 1
    const isQuiet = this.quietTop !== undefined && path.startsWith(this.quietTop)
    if (isQuiet && !this.names.mayMatch(path, split + 1)) return false
    const folder = path.slice(0, split)
    if (!isQuiet && this.table.isQuietBelow(folder)) this.quietTop = `${folder}/`
    const matched: CompiledRule[] = []
    this.table.collect(folder, path.slice(split + 1), matched)
    return matched.length > 0
  }
}

const slash = 47
const plainSigns = 128
const pairSlots = 1024

/** The first signs and last pairs of signs of names that patterns match in any folder. */
class NameFilter {
  private readonly starts = new Uint8Array(plainSigns)
  private readonly ends = new Uint8Array(pairSlots)
  private matchesAll = false

  add(matcher: PathMatcher): void {
    if (matcher.by === "name") this.addStart(matcher.name)
    else if (matcher.by === "glob" && !hasWildcard(matcher.glob.slice(0, 1))) this.addStart(matcher.glob)
    else if (matcher.by === "glob") this.addEnd(matcher.glob)
    // What names a folder is asked of the table.
    else if (matcher.by === "parts") this.matchesAll = true
  }

  /** Whether the name that begins here may match. Folding leaves a plain sign at either end of a name what it is. */
  mayMatch(path: string, from: number): boolean {
    const first = path.charCodeAt(from)
    const before = path.charCodeAt(path.length - 2)
    const last = path.charCodeAt(path.length - 1)
    if (this.matchesAll || path.length < from + 2 || first >= plainSigns || before >= plainSigns || last >= plainSigns)
      return true
    return this.starts[lower(first)] === 1 || this.ends[slotOf(lower(before), lower(last))] === 1
  }

  private addStart(name: string): void {
    // A letter with a mark after it can be folded to one sign.
    if (name.charCodeAt(0) < plainSigns) this.starts[name.charCodeAt(0)] = 1
    else this.matchesAll = true
  }

  private addEnd(glob: string): void {
    const end = glob.slice(-2)
    const isPlain = end.length === 2 && !hasWildcard(end) && end === fold(end) && !/[^\x00-\x7f]/.test(end)
    if (isPlain) this.ends[slotOf(end.charCodeAt(0), end.charCodeAt(1))] = 1
    else this.matchesAll = true
  }
}

function lower(sign: number): number {
  return sign >= 65 && sign <= 90 ? sign + 32 : sign
}

function slotOf(before: number, last: number): number {
  return (before * 31 + last) % pairSlots
}
