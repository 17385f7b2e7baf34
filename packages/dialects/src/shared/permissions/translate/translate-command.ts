import { joinWords } from "@haft/guard"
import { beforeWildcard, everyCall, openEnding, type SpelledMatcher, type Translation, unsayable } from "./matcher.js"

/**
 * A pattern on the text of a command as patterns on its words. A text that only a shell can read, with quotes or
 * operators, has no such pattern: then the plain words before it represent it in a deny or an ask.
 */
export function translateCommand(matcher: SpelledMatcher, strict: boolean): Translation {
  switch (matcher.how) {
    case "any":
      return everyCall
    case "exact":
      return exactly(matcher.text, strict)
    case "prefix":
      return beginning(matcher.text, strict)
    case "glob":
      return globbed(matcher.text, matcher.crosses, strict)
    case "unknown":
      return unsayable(strict)
  }
}

function exactly(text: string, strict: boolean): Translation {
  const words = plainWords(text)
  if (words.join(" ") === text && words.length > 0) return { patterns: [joinWords(words)], exact: true }
  return widened(words, strict)
}

/** A beginning may end inside a word: `npm run test` is also the beginning of `npm run test:unit`. */
function beginning(text: string, strict: boolean): Translation {
  if (text === "") return everyCall
  const words = plainWords(text)
  if (words.length > 0 && `${words.join(" ")} ` === text) return { patterns: [`${joinWords(words)} * *`], exact: true }
  if (words.length === 0 || words.join(" ") !== text) return widened(words, strict)
  return { patterns: [`${joinWords(words)} *`, `${joinWords(words)}?* *`], exact: true }
}

function globbed(text: string, crosses: boolean, strict: boolean): Translation {
  if (!/[*?]/.test(text)) return exactly(text, strict)
  const open = openEnding(text)
  if (open && (crosses || open.stars > 1)) return beginning(open.prefix, strict)
  if (!strict) return unsayable(strict)
  return { ...beginning(beforeWildcard(text), strict), exact: false }
}

/** More than was meant, for a deny or an ask: everything that begins with the words that are sure. */
function widened(words: readonly string[], strict: boolean): Translation {
  if (!strict || words.length === 0) return unsayable(strict)
  return { patterns: [`${joinWords(words)} *`], exact: false }
}

/** The words up to the first one that a shell would not take as it is. */
function plainWords(text: string): readonly string[] {
  const words = text.trim().split(/\s+/)
  const odd = words.findIndex((word, index) => !/^[\w@%+=:,./-]+$/.test(word) || (index === 0 && word.includes("=")))
  return odd < 0 ? words : words.slice(0, odd)
}
