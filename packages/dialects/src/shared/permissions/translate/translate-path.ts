import { beforeWildcard, everyCall, openEnding, type SpelledMatcher, type Translation, unsayable } from "./matcher.js"

/** A pattern on the path of a call as ours: relative ones start at each workspace root. */
export function translatePath(matcher: SpelledMatcher, strict: boolean): Translation {
  switch (matcher.how) {
    case "any":
      return everyCall
    case "exact":
      return hasSyntax(matcher.text) ? unsayable(strict) : { patterns: [plain(matcher.text)], exact: true }
    case "prefix":
      return beginning(matcher.text, strict)
    case "glob":
      return globbed(matcher.text, matcher.crosses, strict)
    case "unknown":
      return unsayable(strict)
  }
}

/** A beginning may end inside a name: `src/a` is also the beginning of `src/ab/c`. */
function beginning(text: string, strict: boolean): Translation {
  const path = plain(text)
  if (text === "") return everyCall
  if (hasSyntax(text)) return unsayable(strict)
  if (path.endsWith("/")) return { patterns: [`${path}**`], exact: true }
  return { patterns: [path, `${path}/**`, `${path}?*`, `${path}?*/**`], exact: true }
}

function globbed(text: string, crosses: boolean, strict: boolean): Translation {
  if (/[{}]/.test(text)) return unsayable(strict)
  const open = openEnding(text)
  if (open && (crosses || open.stars > 1)) return beginning(open.prefix, strict)
  // A star of ours stays inside a name: the same where theirs does, less where theirs goes on.
  if (!crosses || !strict) return { patterns: [plain(text)], exact: !crosses }
  return { ...beginning(beforeWildcard(text), strict), exact: false }
}

function plain(path: string): string {
  const short = path.replace(/^(\.\/)+/, "")
  return short === "." || short === "" ? "{workspace}" : short
}

function hasSyntax(text: string): boolean {
  return /[*?{}]/.test(text)
}
