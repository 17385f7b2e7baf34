import { isInside } from "@haft/contract"
import { PathTable } from "./path-table.js"
import { type PathMatcher, pathMatcher } from "./pattern/path-matcher.js"
import type { CompiledRule } from "./rule.js"

/**
 * Tells quickly of most paths that no deny matches them. Masks ask about every name of a workspace, and nearly none is
 * denied (benchmark: workspace-size, first read).
 */
export class DeniedPaths {
  private readonly table: PathTable
  /** Finds names, with slashes between them, that may be denied wherever they are. */
  private readonly names: RegExp
  /** A folder in and below which only names decide: most paths are in the same tree as the one before. */
  private quietTop: string | undefined

  constructor(rules: readonly CompiledRule[]) {
    const denies = rules.filter(({ placed }) => placed.action === "deny")
    this.table = new PathTable(denies, { folded: true })
    const paths = denies.flatMap(({ pattern }) => (pattern?.kind === "path" ? pattern.variants : []))
    this.names = someOf(paths.map(({ folded }) => pathMatcher(folded)))
  }

  /** Whether a deny matches the path, whatever sets that deny aside. */
  mayMatch(path: string): boolean {
    const split = path.lastIndexOf("/")
    const [folder, name] = [path.slice(0, split), path.slice(split + 1)]
    if (!this.mayMatchIn(folder, name)) return false
    const matched: CompiledRule[] = []
    this.table.collect(folder, name, matched)
    return matched.length > 0
  }

  /** Whether a deny may match one of the names in a folder, which have slashes between them. */
  mayMatchIn(folder: string, names: string): boolean {
    if (this.quietTop === undefined || !isInside(folder, this.quietTop)) {
      if (!this.table.isQuietBelow(folder)) return true
      this.quietTop = folder
    }
    return this.names.test(names)
  }
}

/** Names beyond ASCII are folded before they are compared, so any of them may be meant. */
const beyondAscii = "[^\\x00-\\x7f]"

function someOf(matchers: readonly PathMatcher[]): RegExp {
  const whole: string[] = []
  const ends: string[] = []
  for (const matcher of matchers) {
    if (matcher.by === "name") whole.push(asExpression(matcher.name))
    else if (matcher.by === "glob" && matcher.glob.startsWith("*"))
      ends.push(asExpression(matcher.glob.replace(/^\*+/, "")))
    else if (matcher.by === "glob") whole.push(asExpression(matcher.glob))
    // A path is asked of the table by its folder; of the others any name may be meant.
    else if (matcher.by === "parts") return /^/
  }
  const names = whole.length === 0 ? [] : [`(?:^|/)(?:${whole.join("|")})(?=/|$)`]
  const suffixes = ends.length === 0 ? [] : [`(?:${ends.join("|")})(?=/|$)`]
  return new RegExp([beyondAscii, ...names, ...suffixes].join("|"), "i")
}

/** A glob of one name. */
function asExpression(glob: string): string {
  const plain = glob.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
  return plain.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")
}
